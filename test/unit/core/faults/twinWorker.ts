/** The store's worker with what its twin does otherwise. A worker sees its process's environment, and so which twin it is. */
import { DatabaseSync } from "node:sqlite";
import type { EndRun } from "../../../../src/core/store/advanceRun.ts";
import type { DeliverAnnouncements } from "../../../../src/core/store/announcements.ts";
import { operations } from "../../../../src/core/store/operations.ts";
import type { Sql } from "../../../../src/core/store/sql.ts";
import type { TwinName } from "./twins.ts";

const { endRun, deliverAnnouncements } = operations;

const changes: Readonly<Record<TwinName, () => void>> = {
	split: () =>
		Object.assign(operations, {
			endRun: (sql: Sql, input: EndRun) => withoutTrigger(sql, "run_end_announces", () => endRun(sql, input)),
			announceEnd: (sql: Sql, { runId, at }: EndRun) =>
				sql.run(
					`INSERT INTO announcement (run_id, receiver_session_id, state, created_at)
						SELECT id, requester_session_id, 'pending', :at FROM run WHERE id = :runId`,
					{ runId, at },
				),
		}),
	keyless: () =>
		Object.assign(operations, {
			deliverAnnouncements: (sql: Sql, input: DeliverAnnouncements) => {
				sql.exec("DROP INDEX IF EXISTS entry_announced_once");
				return withoutTrigger(sql, "entry_settles_announcement", () => deliverAnnouncements(sql, input));
			},
			markDelivered: (sql: Sql, { announcements, at }: DeliverAnnouncements) => {
				for (const { runId } of announcements) {
					sql.run("UPDATE announcement SET state = 'delivered', settled_at = :at WHERE run_id = :runId", {
						runId,
						at,
					});
				}
			},
		}),
	fenceless: () => {
		const prototype = DatabaseSync.prototype;
		const prepare = Reflect.get(prototype, "prepare");
		prototype.prepare = function (this: DatabaseSync, text: string) {
			return prepare.call(this, text.replace("fenced_at AS fencedAt", "NULL AS fencedAt"));
		};
	},
};

/** Inside a transaction the schema changes for this transaction alone, once the trigger is back. */
function withoutTrigger<Value>(sql: Sql, name: string, act: () => Value): Value {
	const trigger = sql.get<{ text: string }>("SELECT sql AS text FROM sqlite_schema WHERE name = :name", { name });
	sql.exec(`DROP TRIGGER ${name}`);
	try {
		return act();
	} finally {
		sql.exec(trigger?.text ?? "");
	}
}

changes[process.env["MUSTER_TWIN"] as TwinName]();
await import("../../../../src/core/store/databaseWorker.ts");
