/**
 * The outbox: announcements that exist but have not reached their requester yet.
 *
 * Guarantees: an entry is written with the run's terminal state (runs.ts); delivering it writes the message and marks it
 * in one transaction; a second delivery of the same run changes nothing.
 * Leaves to others: what an announcement says, and when a requester can take it.
 */
import type { Run } from "../runs/run.ts";
import { runEvent, type RunEvent } from "../runs/runEvent.ts";
import { recordEvents } from "./events.ts";
import { getRun } from "./runs.ts";
import type { Sql } from "./sql.ts";
import { appendEntries } from "./transcripts.ts";

/** The runs whose announcements wait, oldest first. */
export function listUndelivered(sql: Sql): string[] {
	const rows = sql.all<{ runId: string }>(
		"SELECT run_id AS runId FROM outbox WHERE delivered_at IS NULL ORDER BY created_at",
	);
	return rows.map((row) => row.runId);
}

export interface Delivery {
	readonly run: Run;
	readonly text: string;
	readonly events: RunEvent[];
}

/** Null when it has been delivered before. */
export function deliverAnnouncement(sql: Sql, input: { readonly runId: string; readonly at: number }): Delivery | null {
	const { runId, at } = input;
	const waiting = sql.get<{ receiver: string; text: string }>(
		"SELECT receiver_session_id AS receiver, text FROM outbox WHERE run_id = :runId AND delivered_at IS NULL",
		{ runId },
	);
	const run = getRun(sql, { runId });
	if (!waiting || !run) return null;
	const { receiver, text } = waiting;
	const message = {
		turn: 0,
		kind: "announcement",
		toolName: null,
		toolCallId: null,
		text,
		isError: false,
		at,
	} as const;
	appendEntries(sql, { sessionId: receiver, runId, entries: [message] });
	sql.run("UPDATE outbox SET delivered_at = :at WHERE run_id = :runId", { runId, at });
	const events = [runEvent(run, at, { type: "subagent.announced", delivery: "delivered" })];
	recordEvents(sql, events);
	return { run, text, events };
}
