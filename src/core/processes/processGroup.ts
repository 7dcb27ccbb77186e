/**
 * The one owner of the processes that Muster starts for others: shells, and servers. Each leads a group of its own, so
 * that it can be ended with all that it started; what left the group is found by a marker in its environment.
 */
import { spawn, type ChildProcess } from "node:child_process";
import type { Readable, Writable } from "node:stream";
import type { Clock } from "../ports/clock.ts";
import { findProcesses, markerName, splitMarkers, type FoundProcess } from "./findProcesses.ts";
import { forgetGroup, recordGroup } from "./groupRecords.ts";
import { firstLookMs, longestLookMs, maxRounds, reapAbandoned, reapMarked } from "./reapProcesses.ts";
import { endWindowsTree, signalProcess } from "./signalProcess.ts";

export interface StartOptions {
	readonly cwd: string;
	/** All that it gets, besides the marker. */
	readonly env: Readonly<Record<string, string>>;
	/** Default `ignore`: it reads nothing. */
	readonly stdin?: "ignore" | "pipe";
	/** The id of the run that it belongs to, or another name without spaces. */
	readonly owner: string;
}

export interface ProcessExit {
	/** Null when a signal ended it. */
	readonly code: number | null;
	readonly signal: NodeJS.Signals | null;
}

export interface KillReport {
	/** Something did not end when it was asked to. */
	readonly wasForced: boolean;
	/** What went on without the process that was started, or had left its group. It is ended too. Told on Linux only. */
	readonly escaped: readonly FoundProcess[];
}

export interface ProcessHandle {
	readonly pid: number;
	readonly stdin: Writable | null;
	readonly stdout: Readable;
	readonly stderr: Readable;
	/** When the process itself has ended. Its pipes may stay open longer, in the hands of its descendants. */
	readonly exited: Promise<ProcessExit>;
	/**
	 * Ends the process and all that it started: asks, waits, forces. Whoever starts a process calls this in the end, also
	 * when it has ended by itself: others may be left. What they wrote can be read for a second more; then the pipes are
	 * closed, whoever holds them.
	 */
	kill(): Promise<KillReport>;
}

export interface ProcessGroupsOptions {
	readonly clock: Clock;
	/** How long a group may take to end by itself. Default 2 s. */
	readonly graceMs?: number;
	/** Where the groups are on record for other processes. */
	readonly storeFolder?: string;
}

const defaultGraceMs = 2_000;
/** How long the rest of the output may be read after the end. */
const drainMs = 1_000;

/** Counts for the whole process, because the marker does. */
let startedCount = 0;

export class ProcessGroups {
	readonly #clock: Clock;
	readonly #graceMs: number;
	readonly #storeFolder: string | undefined;
	readonly #groups = new Set<Group>();
	#isClosed = false;
	#reaping: Promise<readonly FoundProcess[]> | undefined;

	constructor({ clock, graceMs = defaultGraceMs, storeFolder }: ProcessGroupsOptions) {
		this.#clock = clock;
		this.#storeFolder = storeFolder;
		this.#graceMs = graceMs;
	}

	/** How many were started and not ended by `kill` yet. */
	get size(): number {
		return this.#groups.size;
	}

	/** Rejects when the program cannot be started, and after `close`. */
	async start(command: string, args: readonly string[], options: StartOptions): Promise<ProcessHandle> {
		if (this.#isClosed) throw new Error("No process can be started any more: Muster is closing");
		const { cwd, env, stdin = "ignore", owner } = options;
		const marker = `${owner}:${process.pid}.${++startedCount}`;
		const markers = [...splitMarkers(env[markerName]), marker].join(" ");
		const child = spawn(command, args, {
			cwd,
			env: { ...env, [markerName]: markers },
			stdio: [stdin, "pipe", "pipe"],
			detached: process.platform !== "win32",
			windowsHide: true,
		});
		const { pid, stdout, stderr } = child;
		if (pid === undefined || stdout === null || stderr === null) return neverStarted(child);
		// A reader that has gone shows in `exited`; without a listener the failed write would end our process.
		child.stdin?.on("error", () => undefined);
		const group = new Group(pid, child, { owner, marker });
		this.#groups.add(group);
		if (this.#storeFolder !== undefined) recordGroup(this.#storeFolder, pid);
		const kill = () => (group.killing ??= this.#end([group]));
		return { pid, stdin: child.stdin, stdout, stderr, exited: group.exited, kill };
	}

	/** Ends everything of one owner, or of all. */
	async killAll(owner?: string): Promise<KillReport> {
		return this.#end([...this.#groups].filter((group) => owner === undefined || group.owner === owner));
	}

	/** Ends what processes that have died left running of what they had started on this store. Those that live keep theirs. */
	reapAbandoned(): Promise<readonly FoundProcess[]> {
		if (this.#storeFolder === undefined) return Promise.resolve([]);
		this.#reaping ??= reapAbandoned(this.#storeFolder, this.#clock, this.#graceMs).finally(
			() => (this.#reaping = undefined),
		);
		return this.#reaping;
	}

	/** Ends everything, and starts nothing more. */
	async close(): Promise<KillReport> {
		this.#isClosed = true;
		// Whoever asked for it hears why it failed.
		const [report] = await Promise.all([this.killAll(), this.#reaping?.catch(() => undefined)]);
		return report;
	}

	/** One look at all processes serves many groups. */
	async #end(groups: readonly Group[]): Promise<KillReport> {
		if (groups.length === 0) return { wasForced: false, escaped: [] };
		const orphans = new Set(groups.filter(({ isLed, isGone }) => !isLed && !isGone).map(({ pid }) => pid));
		const leftBehind = orphans.size > 0 ? await findProcesses({ groups: orphans }) : [];
		const forced = await Promise.all(groups.map((group) => group.end(this.#clock, this.#graceMs)));
		const escaped = await reapMarked(new Set(groups.map(({ marker }) => marker)), this.#clock);
		for (const group of groups) {
			group.isGone = true;
			group.releasePipes(this.#clock);
			this.#groups.delete(group);
			if (this.#storeFolder !== undefined) forgetGroup(this.#storeFolder, group.pid);
		}
		return { wasForced: forced.includes(true), escaped: [...leftBehind, ...escaped] };
	}
}

/** A process that was started, and its group, which may outlive it. */
class Group {
	readonly pid: number;
	readonly owner: string;
	readonly marker: string;
	readonly exited: Promise<ProcessExit>;
	readonly #child: ChildProcess;
	killing: Promise<KillReport> | undefined;
	/** Whether the process that was started still lives. */
	isLed = true;
	/** Once nobody is left the number may be given to others, and is not ours to signal. */
	isGone = false;

	constructor(pid: number, child: ChildProcess, { owner, marker }: { owner: string; marker: string }) {
		this.pid = pid;
		this.#child = child;
		this.owner = owner;
		this.marker = marker;
		child.on("error", () => undefined);
		this.exited = new Promise((resolve) => {
			child.once("exit", (code, signal) => {
				this.isLed = false;
				this.#look();
				resolve({ code, signal });
			});
		});
	}

	/** Asks the group to end and forces it after a time; whether it had to. */
	async end(clock: Clock, graceMs: number): Promise<boolean> {
		if (process.platform === "win32") {
			if (this.isLed) await endWindowsTree(this.pid);
			return false;
		}
		if (this.isGone) return false;
		signalProcess(-this.pid, "SIGTERM");
		// What is stopped could not hear it.
		signalProcess(-this.pid, "SIGCONT");
		const deadline = clock.now() + graceMs;
		for (let pause = firstLookMs; await this.#isAlive(); pause = Math.min(pause * 2, longestLookMs)) {
			const left = deadline - clock.now();
			if (left <= 0) return this.#force(clock);
			await this.#wait(clock, Math.min(pause, left));
		}
		return false;
	}

	/** What was written can still be read; but descendants that nothing could find may hold the other end for ever. */
	releasePipes(clock: Clock): void {
		for (const pipe of [this.#child.stdin, this.#child.stdout, this.#child.stderr]) {
			if (pipe === null || pipe.closed) continue;
			const timer = clock.after(drainMs, () => pipe.destroy());
			pipe.once("close", () => timer.dispose());
		}
	}

	async #force(clock: Clock): Promise<boolean> {
		const wasThere = signalProcess(-this.pid, "SIGKILL");
		if (this.isLed) await this.exited;
		// Dying takes a moment; what still does must not pass for something that has escaped.
		for (let look = 0; look < maxRounds && (await this.#isAlive()); look++) await this.#wait(clock, firstLookMs);
		return wasThere;
	}

	async #isAlive(): Promise<boolean> {
		if (this.isLed) return true;
		if (!this.#look()) return false;
		// Where nobody buries the dead, they answer signals too.
		return process.platform !== "linux" || (await findProcesses({ groups: new Set([this.pid]) })).length > 0;
	}

	#look(): boolean {
		if (process.platform !== "win32" && !this.isGone) this.isGone = !signalProcess(-this.pid, 0);
		return !this.isGone;
	}

	/** Until the time is over, or the process has ended. */
	async #wait(clock: Clock, ms: number): Promise<void> {
		await new Promise<void>((resolve) => {
			const timer = clock.after(ms, resolve);
			if (!this.isLed) return;
			const onExit = () => {
				timer.dispose();
				resolve();
			};
			void this.exited.then(onExit);
		});
	}
}

/** Node tells the reason a moment later. */
function neverStarted(child: ChildProcess): Promise<never> {
	return new Promise((_, reject) => {
		child.once("error", reject);
	});
}
