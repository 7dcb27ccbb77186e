import { readFileSync } from "node:fs";

/** Whether a process lives. In a container nobody may bury the dead, and they answer signals for ever. */
export function isRunning(pid: number): boolean {
	try {
		process.kill(pid, 0);
		return process.platform !== "linux" || !/\) [ZX] /u.test(readFileSync(`/proc/${pid}/stat`, "latin1"));
	} catch {
		return false;
	}
}

/** For bash on Linux: waits until the processes with these numbers have become the `sleep` that they were started as. */
export function untilSleeping(...pids: readonly string[]): string {
	return pids.map((pid) => `until grep -qx sleep /proc/${pid}/comm; do sleep 0.01; done`).join("; ");
}
