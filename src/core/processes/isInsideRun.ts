import { readFile } from "node:fs/promises";
import { markerName } from "./findProcesses.ts";

/**
 * Whether a subagent has started this process, by whatever way: it, or a process above it, carries the marker of a run.
 * Linux tells of the ones above; elsewhere only the own environment is known.
 */
export async function isInsideRun(environment: Readonly<Record<string, string | undefined>>): Promise<boolean> {
	if (environment[markerName] !== undefined) return true;
	if (process.platform !== "linux") return false;
	for (let pid = process.pid; pid > 1;) {
		const above = await look(pid);
		if (above === undefined) return false;
		if (above.isMarked) return true;
		pid = above.parent;
	}
	return false;
}

/** Undefined for a process that has gone, or that belongs to somebody else: a subagent's are ours. */
async function look(pid: number): Promise<{ isMarked: boolean; parent: number } | undefined> {
	try {
		const [environment, status] = await Promise.all([
			readFile(`/proc/${pid}/environ`, "latin1"),
			readFile(`/proc/${pid}/stat`, "latin1"),
		]);
		const [, , parent = "0"] = status.slice(status.lastIndexOf(")") + 1).split(" ");
		const isMarked = environment.split("\0").some((variable) => variable.startsWith(`${markerName}=`));
		return { isMarked, parent: Number(parent) };
	} catch (error) {
		if (error instanceof Error && "code" in error) return undefined;
		throw error;
	}
}
