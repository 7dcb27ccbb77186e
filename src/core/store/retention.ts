import type { Run } from "../runs/run.ts";
import { runEvent, type RunEvent } from "../runs/runEvent.ts";
import { isTerminal } from "../runs/runState.ts";
import { recordEvents } from "./events.ts";
import { mustGetRun, selectRuns, withRevision } from "./runRows.ts";
import type { Sql } from "./sql.ts";

/** Archives what has ended and been announced before a time. Out of the lists and the limits; still readable. */
export function archiveRuns(sql: Sql, input: { readonly before: number; readonly at: number }): Run[] {
	const due = selectRuns(
		sql,
		`JOIN announcement ON announcement.run_id = run.id WHERE run.archived_at IS NULL AND run.ended_at < :before
			AND coalesce(run.restored_at, 0) < :before
			AND announcement.settled_at < :before AND announcement.state <> 'dead_letter'
			AND NOT EXISTS (SELECT 1 FROM plan WHERE plan.run_id = run.id AND plan.state = 'awaiting') ORDER BY run.seq LIMIT 500`,
		{ before: input.before },
	);
	return due.map((run) => archive(sql, run.id, input.at));
}

/** What an archived run would say: it lives, or its result has not arrived yet. */
export type RemovalRefusal = "running" | "unannounced";

/** Takes an ended run out of the lists and frees its place. Its record, usage and transcript stay. */
export function removeRun(
	sql: Sql,
	input: { readonly runId: string; readonly at: number },
): { run: Run; refusal: RemovalRefusal | null; events: readonly RunEvent[] } {
	const { runId, at } = input;
	const run = mustGetRun(sql, runId);
	if (!isTerminal(run.state)) return { run, refusal: "running", events: [] };
	if (run.archivedAt !== null) return { run, refusal: null, events: [] };
	const removed = archive(sql, runId, at);
	const events = [runEvent(removed, at, { type: "subagent.removed" })];
	recordEvents(sql, events);
	return { run: withRevision(sql, removed), refusal: null, events };
}

/** Brings an archived run back into the lists, where it stays as long as if it had just ended. */
export function restoreRun(sql: Sql, input: { readonly runId: string; readonly at: number }): Run {
	const { runId, at } = input;
	sql.run("UPDATE run SET archived_at = NULL, restored_at = :at WHERE id = :runId", { runId, at });
	return mustGetRun(sql, runId);
}

function archive(sql: Sql, runId: string, at: number): Run {
	sql.run("UPDATE run SET archived_at = :at WHERE id = :runId", { runId, at });
	return mustGetRun(sql, runId);
}
