import type { Clock } from "../ports/clock.ts";
import { backUp } from "./backUp.ts";
import { isHostAlive } from "./hostLock.ts";
import { listHosts, type Host } from "./hosts.ts";
import { migrations } from "./schema.ts";
import type { Sql } from "./sql.ts";

export interface MigrationPlace {
	readonly folder: string;
	/** Of who opens the database; null for a reader. */
	readonly hostId: string | null;
	readonly clock: Clock;
}

/**
 * Brings a database to this program's version, with a backup of what was there before. While another host works with it
 * nothing is done, and that host is returned.
 */
export function migrate(sql: Sql, place: MigrationPlace): Host | undefined {
	while (sql.version < migrations.length) {
		const isNew = sql.version === 0;
		if (!isNew) {
			sql.hasChangedElsewhere();
			const holder = findHolder(sql, place);
			if (holder) return holder;
			backUp(sql, place.folder, place.clock);
		}
		sql.exec("BEGIN IMMEDIATE");
		try {
			// What was committed since would not be in the backup, and may be a host that has come: look again.
			if (isNew || !sql.hasChangedElsewhere()) advance(sql);
			sql.exec("COMMIT");
		} catch (error) {
			if (sql.isInTransaction) sql.exec("ROLLBACK");
			throw error;
		}
	}
	return undefined;
}

/** The version is read again under the lock: another process may have migrated meanwhile. */
function advance(sql: Sql): void {
	const from = sql.version;
	if (from >= migrations.length) return;
	for (const migration of migrations.slice(from)) sql.exec(migration);
	sql.exec(`PRAGMA user_version = ${migrations.length}`);
}

function findHolder(sql: Sql, { folder, hostId }: MigrationPlace): Host | undefined {
	return listHosts(sql).find(({ id }) => id !== hostId && isHostAlive(folder, id));
}
