import { mkdirSync } from "node:fs";
import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import { migrations } from "./schema.ts";
import { Sql } from "./sql.ts";

/** How long a writer waits for another process's transaction before it gives up. */
const busyTimeoutMs = 5_000;

/**
 * Opens `muster.db` in `folder`, creating and migrating it as needed. A database that a newer Muster has written is
 * opened for reading only.
 */
export function openDatabase(folder: string): { sql: Sql; isReadOnly: boolean } {
	mkdirSync(folder, { recursive: true, mode: 0o700 });
	const file = path.join(folder, "muster.db");
	const database = new DatabaseSync(file, { timeout: busyTimeoutMs });
	const sql = new Sql(database);
	if (sql.version > migrations.length) {
		sql.close();
		return { sql: new Sql(new DatabaseSync(file, { readOnly: true, timeout: busyTimeoutMs })), isReadOnly: true };
	}
	sql.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON;");
	migrate(sql);
	// From here on writers wait by themselves (GroupCommit); opening needs SQLite's own patience.
	sql.exec("PRAGMA busy_timeout = 0");
	return { sql, isReadOnly: false };
}

function migrate(sql: Sql): void {
	if (sql.version === migrations.length) return;
	sql.exec("BEGIN IMMEDIATE");
	try {
		// Read again under the lock: another window may have migrated meanwhile.
		for (let version = sql.version; version < migrations.length; version++) sql.exec(migrations[version] ?? "");
		sql.exec(`PRAGMA user_version = ${migrations.length}`);
		sql.exec("COMMIT");
	} catch (error) {
		sql.exec("ROLLBACK");
		throw error;
	}
}
