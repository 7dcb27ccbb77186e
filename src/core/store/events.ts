import type { RunEvent } from "../runs/runEvent.ts";
import type { Sql } from "./sql.ts";

/** In the transaction of what they tell of. */
export function recordEvents(sql: Sql, events: readonly RunEvent[]): void {
	for (const event of events) {
		sql.run("INSERT INTO event (run_id, at, type, data) VALUES (:runId, :at, :type, :data)", {
			runId: event.runId,
			at: event.at,
			type: event.type,
			data: JSON.stringify(event),
		});
	}
}

/** Everything that happened to one run, oldest first. */
export function readEvents(sql: Sql, input: { readonly runId: string }): RunEvent[] {
	const rows = sql.all<{ data: string }>("SELECT data FROM event WHERE run_id = :runId ORDER BY seq", {
		runId: input.runId,
	});
	return rows.map((row) => JSON.parse(row.data) as RunEvent);
}
