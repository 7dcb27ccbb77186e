import type { KillReport, ProcessExit } from "../../processes/processGroup.ts";
import type { OutputBuffer } from "./outputBuffer.ts";
import type { RunningShell, StartedShell } from "./startShell.ts";

export interface ShellSession {
	readonly id: string;
	readonly command: string;
	readonly output: OutputBuffer;
	/** Set when it has ended, all of its output is read and nothing of it is left. */
	readonly end: { readonly exit: ProcessExit; readonly report: KillReport } | undefined;
	/** Where the last answer ended. */
	readOffset: number;
	/** Ends it; resolves when it is over. */
	kill(): Promise<void>;
}

export type StartedSession =
	| { readonly ok: true; readonly session: ShellSession }
	/** For the model. */
	| { readonly ok: false; readonly problem: string };

/** Enough for a server, a watcher and some more; ended ones do not count. */
export const maxRunningShells = 8;
const maxKept = 32;

/** The commands that a run has running in the background. They end with the run: its processes are ended then. */
export class ShellSessions {
	readonly #sessions = new Map<string, ShellSession>();
	#count = 0;
	#starting = 0;

	get ids(): readonly string[] {
		return [...this.#sessions.keys()];
	}

	find(id: string): ShellSession | undefined {
		return this.#sessions.get(id);
	}

	/** Those that are just starting count too, or many calls at once would pass. */
	async start(command: string, start: () => Promise<StartedShell>): Promise<StartedSession> {
		const running = [...this.#sessions.values()].filter(({ end }) => end === undefined).length;
		if (running + this.#starting >= maxRunningShells) {
			return { ok: false, problem: `${maxRunningShells} commands run already. End one with shell_kill first.` };
		}
		this.#starting++;
		try {
			const started = await start();
			return started.ok ? { ok: true, session: this.#add(command, started.shell) } : started;
		} finally {
			this.#starting--;
		}
	}

	#add(command: string, { handle, output, isRead }: RunningShell): ShellSession {
		let end: ShellSession["end"];
		const watch = async () => {
			const exit = await handle.exited;
			const report = await handle.kill();
			await isRead;
			end = { exit, report };
			this.#forgetOldest();
		};
		const isOver = watch();
		const session: ShellSession = {
			id: `shell-${++this.#count}`,
			command,
			output,
			get end() {
				return end;
			},
			readOffset: 0,
			async kill() {
				await handle.kill();
				await isOver;
			},
		};
		this.#sessions.set(session.id, session);
		return session;
	}

	/** Of those that have ended: each holds up to 1 MiB. */
	#forgetOldest(): void {
		for (const { id, end } of this.#sessions.values()) {
			if (this.#sessions.size <= maxKept) return;
			if (end !== undefined) this.#sessions.delete(id);
		}
	}
}
