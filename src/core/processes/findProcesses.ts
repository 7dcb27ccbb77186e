import { readdir, readFile, readlink } from "node:fs/promises";
import type { GroupRecord } from "./groupRecords.ts";

/** The variable in the environment of everything that Muster starts, by which it finds what has left its group. */
export const markerName = "MUSTER_RUN";

export interface FoundProcess {
	readonly pid: number;
	/** As the program was called, on one line. */
	readonly commandLine: string;
}

export interface Wanted {
	/** A process in one of these groups… */
	readonly groups?: ReadonlySet<number>;
	/** …or with one of these markers… */
	readonly markers?: ReadonlySet<string>;
	/** …or with one of these numbers. */
	readonly pids?: ReadonlySet<number>;
}

const maxCommandLine = 200;

/** The living processes of that group or with that marker. Linux tells; elsewhere none are found. */
export async function findProcesses({ groups, markers, pids }: Wanted): Promise<readonly FoundProcess[]> {
	const isOneOf = (marked: readonly string[]) => marked.some((marker) => markers?.has(marker));
	const found = await scan(async ({ pid, group }) => {
		const isNamed = groups?.has(group) === true || pids?.has(pid) === true;
		return isNamed || (markers !== undefined && isOneOf(await readMarkers(pid)));
	});
	return found.map(({ pid, commandLine }) => ({ pid, commandLine }));
}

/**
 * What goes on of groups whose owners have died: what carries a marker of such an owner, and who is in one group with it on
 * record. A group without any of its marked ones may be somebody else's by now, and is left alone.
 */
export async function findOrphans(records: readonly GroupRecord[]): Promise<readonly FoundProcess[]> {
	const owners = new Set(records.map(({ owner }) => owner));
	const isOwned = (marker: string) => owners.has(Number(/:(\d+)\.\d+$/u.exec(marker)?.[1]));
	const own = await readlink("/proc/self/ns/pid").catch(() => undefined);
	const marked = await scan(async ({ pid }) => {
		if (!(await readMarkers(pid)).some(isOwned)) return false;
		// In a container the same numbers name other processes, which may well live.
		return own !== undefined && (await readlink(`/proc/${pid}/ns/pid`)) === own;
	});
	const recorded = new Set(records.map(({ group }) => group));
	const groups = new Set(marked.map(({ group }) => group).filter((group) => recorded.has(group)));
	const beside = groups.size > 0 ? await findProcesses({ groups }) : [];
	const all = [...marked.map(({ pid, commandLine }) => ({ pid, commandLine })), ...beside];
	return [...new Map(all.map((each) => [each.pid, each])).values()];
}

interface Seen {
	readonly pid: number;
	readonly group: number;
}

type Scanned = FoundProcess & Seen;

async function scan(isWanted: (seen: Seen) => Promise<boolean>): Promise<readonly Scanned[]> {
	if (process.platform !== "linux") return [];
	const names = await readdir("/proc");
	const found = await Promise.all(
		names.filter((name) => /^\d+$/u.test(name)).map((pid) => look(Number(pid), isWanted)),
	);
	return found.filter((process) => process !== undefined);
}

async function look(pid: number, isWanted: (seen: Seen) => Promise<boolean>): Promise<Scanned | undefined> {
	try {
		const status = await readFile(`/proc/${pid}/stat`, "latin1");
		// The program's name comes before this, in brackets, and may hold anything.
		const [, state = "", , group = ""] = status.slice(status.lastIndexOf(")") + 1).split(" ");
		if (state === "Z" || state === "X" || pid === process.pid) return undefined;
		const seen = { pid, group: Number(group) };
		return (await isWanted(seen)) ? { ...seen, commandLine: await readCommandLine(pid) } : undefined;
	} catch (error) {
		if (isGoneOrForeign(error)) return undefined;
		throw error;
	}
}

async function readMarkers(pid: number): Promise<readonly string[]> {
	const variables = (await readFile(`/proc/${pid}/environ`, "utf8")).split("\0");
	return splitMarkers(
		variables.find((variable) => variable.startsWith(`${markerName}=`))?.slice(markerName.length + 1),
	);
}

/** A Muster that a run of another one has started adds its own marker to the one that it was given. */
export function splitMarkers(value: string | undefined): readonly string[] {
	return value?.split(" ").filter((marker) => marker !== "") ?? [];
}

async function readCommandLine(pid: number): Promise<string> {
	const line = (await readFile(`/proc/${pid}/cmdline`, "utf8")).replaceAll(/[\s\p{Cc}]+/gu, " ").trim();
	return line.length > maxCommandLine ? `${line.slice(0, maxCommandLine)}…` : line;
}

/** A process may end while it is looked at, and those of other users do not show their environment. */
function isGoneOrForeign(error: unknown): boolean {
	const code = error instanceof Error && "code" in error ? error.code : undefined;
	return code === "ENOENT" || code === "ESRCH" || code === "EACCES" || code === "EPERM";
}
