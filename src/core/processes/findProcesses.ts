import { readdir, readFile } from "node:fs/promises";

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
	/** …or with one of these markers. */
	readonly markers?: ReadonlySet<string>;
}

const maxCommandLine = 200;

/** The living processes of that group or with that marker. Linux tells; elsewhere none are found. */
export async function findProcesses(wanted: Wanted): Promise<readonly FoundProcess[]> {
	if (process.platform !== "linux") return [];
	const names = await readdir("/proc");
	const found = await Promise.all(names.filter((name) => /^\d+$/u.test(name)).map((pid) => look(Number(pid), wanted)));
	return found.filter((process) => process !== undefined);
}

async function look(pid: number, { groups, markers }: Wanted): Promise<FoundProcess | undefined> {
	try {
		const status = await readFile(`/proc/${pid}/stat`, "latin1");
		// The program's name comes before this, in brackets, and may hold anything.
		const [, state = "", , group = ""] = status.slice(status.lastIndexOf(")") + 1).split(" ");
		if (state === "Z" || state === "X" || pid === process.pid) return undefined;
		const isWanted = groups?.has(Number(group)) === true || (markers !== undefined && (await isMarked(pid, markers)));
		return isWanted ? { pid, commandLine: await readCommandLine(pid) } : undefined;
	} catch (error) {
		if (isGoneOrForeign(error)) return undefined;
		throw error;
	}
}

async function isMarked(pid: number, markers: ReadonlySet<string>): Promise<boolean> {
	const variables = (await readFile(`/proc/${pid}/environ`, "utf8")).split("\0");
	const marked = variables.find((variable) => variable.startsWith(`${markerName}=`));
	return marked !== undefined && splitMarkers(marked.slice(markerName.length + 1)).some((each) => markers.has(each));
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
