import { mkdirSync } from "node:fs";
import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import { type Clock, systemClock } from "../ports/clock.ts";
import { completeShape } from "./completeShape.ts";
import { migrate } from "./migrate.ts";
import type { ReadOnlyReason } from "./readOnly.ts";
import { migrations } from "./schema.ts";
import { Sql } from "./sql.ts";
import { takeTurn } from "./takeTurn.ts";

/** How long a writer waits for another process's transaction before it gives up. */
const busyTimeoutMs = 5_000;

export interface OpenedDatabase {
	readonly sql: Sql;
	/** Null when it may be written. */
	readonly readOnly: ReadOnlyReason | null;
}

export interface OpenDatabaseOptions {
	/** Of who opens it; without one it is a reader. */
	readonly hostId?: string | null;
	readonly clock?: Clock;
}

/**
 * Opens `muster.db` in `folder`, creating and migrating it as needed. A database that a newer Muster has written is
 * opened for reading only, and so is an older one that another process works with.
 */
export function openDatabase(
	folder: string,
	{ hostId = null, clock = systemClock }: OpenDatabaseOptions = {},
): OpenedDatabase {
	mkdirSync(folder, { recursive: true, mode: 0o700 });
	const file = path.join(folder, "muster.db");
	const sql = new Sql(new DatabaseSync(file, { timeout: busyTimeoutMs }));
	const readOnly = closeUnless(sql, () => prepare(sql, { folder, hostId, clock }));
	if (readOnly === null) return { sql, readOnly };
	sql.close();
	return { sql: openForReading(file, readOnly), readOnly };
}

function closeUnless<Value>(sql: Sql, succeeds: () => Value): Value {
	try {
		return succeeds();
	} catch (error) {
		sql.close();
		throw error;
	}
}

function prepare(sql: Sql, place: Parameters<typeof migrate>[1]): ReadOnlyReason | null {
	const isNewer = () => sql.version > migrations.length;
	if (isNewer()) return { kind: "newer" };
	// Of two that begin the same database, SQLite refuses one at once.
	takeTurn(busyTimeoutMs, () => sql.exec("PRAGMA journal_mode = WAL"));
	sql.exec("PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON;");
	const holder = migrate(sql, place);
	if (holder) return { kind: "held", holder: { pid: holder.pid, kind: holder.kind } };
	// A newer Muster may have come first, while this one waited for its turn.
	if (isNewer()) return { kind: "newer" };
	// From here on writers wait by themselves (GroupCommit); opening needs SQLite's own patience.
	sql.exec("PRAGMA busy_timeout = 0");
	return null;
}

function openForReading(file: string, reason: ReadOnlyReason): Sql {
	const sql = new Sql(new DatabaseSync(file, { readOnly: true, timeout: busyTimeoutMs }));
	if (reason.kind === "held") closeUnless(sql, () => completeShape(sql));
	return sql;
}
