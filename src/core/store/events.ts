import type { Run, Usage } from "../runs/run.ts";
import { runEvent, type RunEvent } from "../runs/runEvent.ts";
import { isTerminal } from "../runs/runState.ts";
import { getRun, withRevision } from "./runRows.ts";
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

export interface RecordProgress {
	readonly runId: string;
	readonly turn: number;
	readonly tool: string | null;
	readonly usage: Usage;
	readonly at: number;
}

/** How far a run is. Null for one that has ended: nothing is told of it after its end. */
export function recordProgress(
	sql: Sql,
	input: RecordProgress,
): { readonly run: Run; readonly events: readonly RunEvent[] } | null {
	const { runId, turn, tool, usage, at } = input;
	const run = getRun(sql, { runId });
	if (!run || isTerminal(run.state)) return null;
	const events = [runEvent(run, at, { type: "subagent.progressed", turn, tool, usage })];
	recordEvents(sql, events);
	return { run: withRevision(sql, run), events };
}

/** Everything that happened to one run, oldest first. */
export function readEvents(sql: Sql, input: { readonly runId: string; readonly skip?: number }): RunEvent[] {
	const { runId, skip = 0 } = input;
	const rows = sql.all<{ data: string }>(
		"SELECT data FROM event WHERE run_id = :runId ORDER BY seq LIMIT -1 OFFSET :skip",
		{ runId, skip },
	);
	return rows.map((row) => JSON.parse(row.data) as RunEvent);
}
