import { readFile } from "node:fs/promises";
import { markerName } from "./findProcesses.ts";
import { listGroups } from "./groupRecords.ts";

interface Seen {
	readonly parent: number;
	readonly group: number;
	readonly session: number;
	readonly isMarked: boolean;
}

/**
 * Whether a subagent of this store has started this process: it, or a process above it, carries the marker of a run, or is
 * in a group or session that was recorded as one. Linux tells of the ones above; elsewhere only the own environment is known.
 */
export async function isInsideRun(
	environment: Readonly<Record<string, string | undefined>>,
	storeFolder: string,
): Promise<boolean> {
	if (environment[markerName] !== undefined) return true;
	if (process.platform !== "linux") return false;
	const groups = listGroups(storeFolder);
	for (let pid = process.pid; pid > 1;) {
		const seen = await look(pid);
		if (seen === undefined) return false;
		if (seen.isMarked || groups.has(seen.group) || groups.has(seen.session)) return true;
		pid = seen.parent;
	}
	return false;
}

/** Undefined for a process that has gone, or that belongs to somebody else: a subagent's are ours. */
async function look(pid: number): Promise<Seen | undefined> {
	try {
		const [environment, status] = await Promise.all([
			readFile(`/proc/${pid}/environ`, "latin1"),
			readFile(`/proc/${pid}/stat`, "latin1"),
		]);
		// The program's name comes before this, in brackets, and may hold anything.
		const [, , parent, group, session] = status.slice(status.lastIndexOf(")") + 1).split(" ");
		const isMarked = environment.split("\0").some((variable) => variable.startsWith(`${markerName}=`));
		return { parent: Number(parent), group: Number(group), session: Number(session), isMarked };
	} catch (error) {
		if (error instanceof Error && "code" in error) return undefined;
		throw error;
	}
}
