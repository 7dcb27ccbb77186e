/**
 * A lock that says "this process lives", and that the kernel frees when it does not: an exclusive SQLite transaction on
 * a file of the host's own. A clean end removes the file; after a crash it stays, unlocked.
 */
import { existsSync, mkdirSync, rmSync } from "node:fs";
import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import { isBusy } from "./sqliteErrors.ts";

/** Lets go of nothing by accident: a collected database would free its lock. */
const held = new Set<DatabaseSync>();

/** Held until `release`, or until the process ends in whatever way. */
export function holdHostLock(folder: string, hostId: string): { release(): void } {
	mkdirSync(path.join(folder, "hosts"), { recursive: true, mode: 0o700 });
	const file = lockFile(folder, hostId);
	const database = new DatabaseSync(file);
	database.exec("BEGIN EXCLUSIVE");
	held.add(database);
	return {
		release() {
			held.delete(database);
			database.close();
			rmSync(file, { force: true });
		},
	};
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

function lockFile(folder: string, hostId: string): string {
	return path.join(folder, "hosts", `${hostId}.lock`);
}
