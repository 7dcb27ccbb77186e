import { readdirSync, renameSync, rmSync } from "node:fs";
import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import type { Clock } from "../ports/clock.ts";
import { fileStamp } from "./fileStamp.ts";
import type { Sql } from "./sql.ts";

const kept = 3;
const backups = /^muster\.backup-.*\.db$/;

/**
 * Writes the database as it is now into a new file beside it, by SQLite itself, and keeps the newest of these. One that
 * was interrupted keeps the name of a part, and nobody takes it for a whole one.
 */
export function backUp(sql: Sql, folder: string, clock: Clock): void {
	const name = `muster.backup-${fileStamp(clock)}-v${sql.version}-${process.pid}.db`;
	const part = path.join(folder, `${name}.part`);
	try {
		sql.run("VACUUM INTO :part", { part });
		sync(part);
		renameSync(part, path.join(folder, name));
	} catch (error) {
		rmSync(part, { force: true });
		throw error;
	}
	const older = readdirSync(folder)
		.filter((entry) => backups.test(entry))
		.toSorted()
		.slice(0, -kept);
	for (const entry of older) rmSync(path.join(folder, entry), { force: true });
}

/** `VACUUM INTO` leaves its file to the system's cache; any commit of our own takes all of it to the disk. */
function sync(file: string): void {
	const database = new DatabaseSync(file);
	try {
		const version = database.prepare("PRAGMA user_version").get()?.["user_version"];
		database.exec(`PRAGMA synchronous = FULL; PRAGMA user_version = ${Number(version)}`);
	} finally {
		database.close();
	}
}
