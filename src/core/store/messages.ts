/** What is said to a session while a run of it executes. Durable when said, read once, at that run's next boundary. */
import type { Sql } from "./sql.ts";
import { appendEntries } from "./transcripts.ts";

export interface NewMessage {
	readonly id: string;
	readonly sessionId: string;
	readonly text: string;
	readonly at: number;
}

/** False when no run of the session executes or is about to: then there is nobody to read it. */
export function addMessage(sql: Sql, input: NewMessage): boolean {
	const { id, sessionId, text, at } = input;
	const isLive = sql.get("SELECT 1 FROM run WHERE session_id = :sessionId AND ended_at IS NULL", { sessionId });
	if (!isLive) return false;
	sql.run("INSERT INTO message (id, session_id, text, created_at) VALUES (:id, :sessionId, :text, :at)", {
		id,
		sessionId,
		text,
		at,
	});
	return true;
}

/** Takes what waits into the transcript, in the order in which it was said. */
export function takeMessages(
	sql: Sql,
	input: { readonly sessionId: string; readonly runId: string; readonly turn: number; readonly at: number },
): string[] {
	const { sessionId, runId, turn, at } = input;
	const waiting = sql.all<{ text: string }>(
		"SELECT text FROM message WHERE session_id = :sessionId AND taken_by_run_id IS NULL ORDER BY seq",
		{ sessionId },
	);
	if (waiting.length === 0) return [];
	sql.run("UPDATE message SET taken_by_run_id = :runId WHERE session_id = :sessionId AND taken_by_run_id IS NULL", {
		sessionId,
		runId,
	});
	const entry = { turn, kind: "user", toolName: null, toolCallId: null, isError: false, at } as const;
	appendEntries(sql, { sessionId, runId, entries: waiting.map(({ text }) => ({ ...entry, text })) });
	return waiting.map(({ text }) => text);
}
