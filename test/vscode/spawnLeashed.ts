import { type ChildProcess, type StdioPipe, spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";

const leash = fileURLToPath(new URL("leash.ts", import.meta.url));

/** A program with all that it started: one process group, led by a process that ends when we do. */
export interface LeashedProcess {
	readonly process: ChildProcess;
	/** Also the id of the process group. */
	readonly pid: number;
	/** The exit code, once the program has ended. */
	readonly ended: Promise<number>;
	isRunning(): boolean;
	/** Asks the group to end, and after four seconds makes it. Resolves when it has ended. */
	stop(): Promise<void>;
	/** Ends the group as a crash would: at once and without a word. Resolves when it has ended. */
	kill(): Promise<void>;
}

/** `output` is a file descriptor for both streams, `"inherit"`, or `"pipe"` to read them from `process`. */
export function spawnLeashed(
	command: string,
	args: readonly string[],
	options: { cwd?: string; env?: NodeJS.ProcessEnv; output: number | "inherit" | StdioPipe },
): LeashedProcess {
	const child = spawn(process.execPath, [leash, command, ...args], {
		cwd: options.cwd,
		env: options.env,
		detached: true,
		stdio: ["pipe", options.output, options.output],
	});
	const { pid } = child;
	if (pid === undefined) throw new Error(`${process.execPath} cannot be started`);

	const killGroup = () => {
		try {
			process.kill(-pid, "SIGKILL");
		} catch (error) {
			if (!isNoSuchProcess(error)) throw error;
		}
	};
	const ended = once(child, "exit").then(([code]) => {
		killGroup();
		return typeof code === "number" ? code : 1;
	});
	return {
		process: child,
		pid,
		ended,
		isRunning: () => child.exitCode === null && child.signalCode === null,
		async stop() {
			child.stdin?.destroy();
			await ended;
		},
		async kill() {
			killGroup();
			await ended;
		},
	};
}

function isNoSuchProcess(error: unknown): boolean {
	return error instanceof Error && "code" in error && error.code === "ESRCH";
}
