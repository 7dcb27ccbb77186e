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

/**
 * Adds to a run's transcript while the run lives, and says whether it did. A host that lost its run writes nothing more
 * into it.
 */
export function appendToLiveRun(sql: Sql, input: AppendEntries): boolean {
	const live = sql.get("SELECT 1 FROM run WHERE id = :runId AND ended_at IS NULL", { runId: input.runId });
	if (live) appendEntries(sql, input);
	return live !== undefined;
}

/** Takes back what a model streamed of a turn that was cut off and is asked for again. */
export function withdrawTurn(sql: Sql, input: { readonly runId: string; readonly turn: number }): void {
	const { runId, turn } = input;
	sql.run("DELETE FROM entry WHERE run_id = :runId AND turn = :turn AND kind IN ('text', 'reasoning')", {
		runId,
		turn,
	});
}

type EntryRow = Omit<Entry, "isError"> & { readonly isError: number };

const columns = `seq, run_id AS runId, turn, kind, tool_name AS toolName, tool_call_id AS toolCallId, text,
	is_error AS isError, at`;

function toEntry(row: EntryRow): Entry {
	return { ...row, isError: row.isError === 1 };
}

export interface ReadEntries {
	readonly sessionId: string;
	/** Entries with a larger `seq`; 0 = from the beginning. */
	readonly after: number;
	readonly limit: number;
}

/** One page of a transcript. There is no way to read a whole one at once. */
export function readEntries(sql: Sql, input: ReadEntries): Entry[] {
	const rows = sql.all<EntryRow>(
		`SELECT ${columns} FROM entry WHERE session_id = :sessionId AND seq > :after ORDER BY seq LIMIT :limit`,
		{ sessionId: input.sessionId, after: input.after, limit: input.limit },
	);
	return rows.map(toEntry);
}

/** The page before the entry `before`, oldest first; without it, the end of the transcript. */
export function readLastEntries(
	sql: Sql,
	input: { readonly sessionId: string; readonly before?: number; readonly limit: number },
): Entry[] {
	const { sessionId, before = Number.MAX_SAFE_INTEGER, limit } = input;
	const rows = sql.all<EntryRow>(
		`SELECT ${columns} FROM entry WHERE session_id = :sessionId AND seq < :before ORDER BY seq DESC LIMIT :limit`,
		{ sessionId, before, limit },
	);
	return rows.toReversed().map(toEntry);
}

export interface FoundEntry {
	readonly runId: string;
	readonly sessionId: string;
	readonly seq: number;
	/** The place that matched, with a few words around it. */
	readonly excerpt: string;
}

/** Where these words were said, best first. The words are data: nothing in them is an operator. */
export function searchEntries(sql: Sql, input: { readonly words: string; readonly limit: number }): FoundEntry[] {
	const words = input.words.match(/[\p{L}\p{N}_]+/gu) ?? [];
	if (words.length === 0) return [];
	return sql.all<FoundEntry>(
		`SELECT entry.run_id AS runId, entry.session_id AS sessionId, entry.seq,
			snippet(entry_search, 0, '', '', '…', 12) AS excerpt
			FROM entry_search JOIN entry ON entry.seq = entry_search.rowid
			WHERE entry_search MATCH :query ORDER BY rank LIMIT :limit`,
		{ query: words.map((word) => `"${word}"`).join(" "), limit: input.limit },
	);
}
