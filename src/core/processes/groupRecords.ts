/**
 * Which process groups belong to subagents, for other processes to see: a process can drop the marker from its environment,
 * but stays in its group. An empty folder per group, named after it and after the process that will end it.
 */
import { mkdirSync, readdirSync, readFileSync, rmSync } from "node:fs";
import path from "node:path";
import { signalProcess } from "./signalProcess.ts";

export function recordGroup(storeFolder: string, group: number): void {
	mkdirSync(path.join(recordsFolder(storeFolder), `${group}.${process.pid}`), { recursive: true, mode: 0o700 });
}

export function forgetGroup(storeFolder: string, group: number): void {
	rmSync(path.join(recordsFolder(storeFolder), `${group}.${process.pid}`), { recursive: true, force: true });
}

export interface GroupRecord {
	readonly group: number;
	/** The process that started it and will end it. */
	readonly owner: number;
}

/** Those whose owner lives: the number of a group may be somebody else's by now. */
export function listGroups(storeFolder: string): ReadonlySet<number> {
	const living = readRecords(storeFolder).filter(({ owner }) => isLiving(owner));
	return new Set(living.map(({ group }) => group));
}

/** Those whose owner has died without ending them. */
export function listAbandoned(storeFolder: string): readonly GroupRecord[] {
	return readRecords(storeFolder).filter(({ owner }) => !isLiving(owner));
}

/** To be called once nothing is left of them: until then the records are the only way to them. */
export function forgetAbandoned(storeFolder: string, abandoned: readonly GroupRecord[]): void {
	for (const { group, owner } of abandoned)
		rmSync(path.join(recordsFolder(storeFolder), `${group}.${owner}`), { recursive: true, force: true });
}

function readRecords(storeFolder: string): readonly GroupRecord[] {
	return listNames(recordsFolder(storeFolder)).flatMap((name) => {
		const [, group, owner] = /^(\d+)\.(\d+)$/u.exec(name) ?? [];
		return group === undefined || owner === undefined ? [] : [{ group: Number(group), owner: Number(owner) }];
	});
}

/** Where nobody buries the dead, they answer signals too. */
function isLiving(pid: number): boolean {
	if (!signalProcess(pid, 0)) return false;
	if (process.platform !== "linux") return true;
	try {
		const status = readFileSync(`/proc/${pid}/stat`, "latin1");
		return !/^ [ZX]/u.test(status.slice(status.lastIndexOf(")") + 1));
	} catch (error) {
		if (error instanceof Error && "code" in error && (error.code === "ENOENT" || error.code === "ESRCH")) return false;
		throw error;
	}
}

function listNames(folder: string): string[] {
	try {
		return readdirSync(folder);
	} catch (error) {
		if (error instanceof Error && "code" in error && error.code === "ENOENT") return [];
		throw error;
	}
}

function recordsFolder(storeFolder: string): string {
	return path.join(storeFolder, "groups");
}
