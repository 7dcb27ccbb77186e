/**
 * A lock that says "this process lives", and that the kernel frees when it does not: an exclusive SQLite transaction on
 * a file of the host's own. A clean end removes the file; after a crash it stays, unlocked.
 *
 * Beside the lock stands an empty folder whose name tells who holds it, for when the database cannot be asked: a locked
 * file cannot be read, and no other file of the store is ever opened.
 */
import { existsSync, mkdirSync, readdirSync, rmSync } from "node:fs";
import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import type { NewHost } from "./hosts.ts";
import { isBusy } from "./sqliteErrors.ts";

/** Lets go of nothing by accident: a collected database would free its lock. */
const held = new Set<DatabaseSync>();

export interface Lock {
	release(): void;
}

/** Held until `release`, or until the process ends in whatever way. */
export function holdHostLock(folder: string, { hostId, pid, kind }: Pick<NewHost, "hostId" | "pid" | "kind">): Lock {
	mkdirSync(hostsFolder(folder), { recursive: true, mode: 0o700 });
	const name = path.join(hostsFolder(folder), `${hostId}.${kind}.${pid}`);
	mkdirSync(name, { recursive: true });
	const lock = holdLock(lockFile(folder, hostId), 0);
	return {
		release() {
			lock.release();
			rmSync(lockFile(folder, hostId), { force: true });
			rmSync(name, { recursive: true, force: true });
		},
	};
}

/** One process at a time looks after a damaged database; others wait. The file stays: who waits, waits for this one. */
export function holdRepairLock(folder: string, patienceMs: number): Lock {
	return holdLock(path.join(folder, "repair.lock"), patienceMs);
}

/** Whether another host's process still lives. Never ask it about your own host. */
export function isHostAlive(folder: string, hostId: string): boolean {
	const file = lockFile(folder, hostId);
	if (!existsSync(file)) return false;
	const database = new DatabaseSync(file, { timeout: 0 });
	try {
		database.exec("BEGIN EXCLUSIVE");
		return false;
	} catch (error) {
		if (isBusy(error)) return true;
		throw error;
	} finally {
		database.close();
	}
}

/** A host whose process lives, as far as the locks tell. Not to be asked by who holds a lock of its own. */
export function findLiveHost(folder: string): Pick<NewHost, "pid" | "kind"> | undefined {
	if (!existsSync(hostsFolder(folder))) return undefined;
	for (const entry of readdirSync(hostsFolder(folder))) {
		const [, hostId = "", kind, pid] = /^(.+)\.(window|cli|worker)\.(\d+)$/u.exec(entry) ?? [];
		if (pid !== undefined && isHostAlive(folder, hostId)) return { kind: kind as NewHost["kind"], pid: Number(pid) };
	}
	return undefined;
}

function holdLock(file: string, patienceMs: number): Lock {
	const database = new DatabaseSync(file, { timeout: patienceMs });
	try {
		database.exec("BEGIN EXCLUSIVE");
	} catch (error) {
		database.close();
		throw error;
	}
	held.add(database);
	return {
		release() {
			held.delete(database);
			database.close();
		},
	};
}

function hostsFolder(folder: string): string {
	return path.join(folder, "hosts");
}

function lockFile(folder: string, hostId: string): string {
	return path.join(hostsFolder(folder), `${hostId}.lock`);
}
