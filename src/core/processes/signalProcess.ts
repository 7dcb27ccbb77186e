import { execFile } from "node:child_process";
import { once } from "node:events";

/** Sends a signal to a process, or to a group by its negative number; 0 only asks. Whether there was one to get it. */
export function signalProcess(pid: number, signal: NodeJS.Signals | 0): boolean {
	try {
		return process.kill(pid, signal);
	} catch (error) {
		const code = error instanceof Error && "code" in error ? error.code : undefined;
		if (code === "ESRCH") return false;
		// It is there, and has become another user's.
		if (code === "EPERM") return true;
		throw error;
	}
}

/** Windows has no groups to signal: its own program ends a process with its descendants. */
export async function endWindowsTree(pid: number): Promise<void> {
	await once(execFile("taskkill", ["/pid", String(pid), "/T", "/F"], { windowsHide: true }), "close");
}
