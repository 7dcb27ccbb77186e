/** Runs that wait before they ask their model again: without a slot, and back in before all others. */
import type { Run } from "../runs/run.ts";
import { mustGetRun } from "./runRows.ts";
import type { Sql } from "./sql.ts";

/** With this answer its slot is free; `endBackOff` brings it back. Null when it does not execute any more. */
export function beginBackOff(sql: Sql, input: { readonly runId: string; readonly at: number }): Run | null {
	const { runId, at } = input;
	const changed = sql.run(
		"UPDATE run SET backs_off_since = :at WHERE id = :runId AND state = 'running' AND hold IS NULL AND backs_off_since IS NULL",
		{ runId, at },
	);
	return changed > 0 ? mustGetRun(sql, runId) : null;
}

/** Its time is over: it goes on as soon as its lane has room, before all others. Null when it has ended meanwhile. */
export function endBackOff(sql: Sql, input: { readonly runId: string; readonly at: number }): Run | null {
	const { runId, at } = input;
	const changed = sql.run(
		"UPDATE run SET returns_since = coalesce(returns_since, :at) WHERE id = :runId AND backs_off_since IS NOT NULL",
		{ runId, at },
	);
	return changed > 0 ? mustGetRun(sql, runId) : null;
}
