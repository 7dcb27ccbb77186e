import type { Entry, NewEntry } from "../sessions/entry.ts";
import type { Sql } from "./sql.ts";

export interface AppendEntries {
	readonly sessionId: string;
	readonly runId: string;
	readonly entries: readonly NewEntry[];
}

export function appendEntries(sql: Sql, input: AppendEntries): void {
	for (const { turn, kind, toolName, toolCallId, text, isError, at } of input.entries) {
		sql.run(
			`INSERT INTO entry (session_id, run_id, turn, kind, tool_name, tool_call_id, text, is_error, at)
			VALUES (:sessionId, :runId, :turn, :kind, :toolName, :toolCallId, :text, :isError, :at)`,
			{
				sessionId: input.sessionId,
				runId: input.runId,
				turn,
				kind,
				toolName,
				toolCallId,
				text,
				isError: Number(isError),
				at,
			},
		);
	}
}

/** Adds to a run's transcript while the run lives. A host that lost its run writes nothing more into it. */
export function appendToLiveRun(sql: Sql, input: AppendEntries): void {
	const live = sql.get("SELECT 1 FROM run WHERE id = :runId AND ended_at IS NULL", { runId: input.runId });
	if (live) appendEntries(sql, input);
}

export interface ReadEntries {
	readonly sessionId: string;
	/** Entries with a larger `seq`; 0 = from the beginning. */
	readonly after: number;
	readonly limit: number;
}

/** One page of a transcript. There is no way to read a whole one at once. */
export function readEntries(sql: Sql, input: ReadEntries): Entry[] {
	const rows = sql.all<Omit<Entry, "isError"> & { isError: number }>(
		`SELECT seq, run_id AS runId, turn, kind, tool_name AS toolName, tool_call_id AS toolCallId, text,
			is_error AS isError, at
		FROM entry WHERE session_id = :sessionId AND seq > :after ORDER BY seq LIMIT :limit`,
		{ sessionId: input.sessionId, after: input.after, limit: input.limit },
	);
	return rows.map((row) => ({ ...row, isError: row.isError === 1 }));
}
