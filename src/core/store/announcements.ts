/**
 * Announcements: how each run's end reaches exactly the session that asked for it.
 *
 * Guarantees: the announcement is made by the transaction that ends the run (a trigger in schema.ts); delivering it writes
 * the message and marks it in one transaction; a second delivery of the same run changes nothing. Delivering to an idle
 * main session and the run that wakes it are one transaction too.
 * Leaves to others: what an announcement says, and when to try.
 */
import type { Run } from "../runs/run.ts";
import { announcedEvent, type RunEvent } from "../runs/runEvent.ts";
import type { SessionKind } from "../sessions/session.ts";
import { acceptRun, type AcceptRun } from "./acceptRun.ts";
import { recordEvents } from "./events.ts";
import { mustGetRun, selectRuns } from "./runRows.ts";
import type { Sql } from "./sql.ts";
import { appendEntries } from "./transcripts.ts";

export interface Receiver {
	readonly sessionId: string;
	readonly key: string;
	readonly kind: SessionKind;
	readonly agentId: string;
	readonly isDeleted: boolean;
	/** Whether a run of it executes, waits, or is about to. Held runs do not count. */
	readonly isBusy: boolean;
}

/** The sessions for which announcements wait. */
export function listReceivers(sql: Sql): Receiver[] {
	const rows = sql.all<{ sessionId: string }>(
		"SELECT DISTINCT receiver_session_id AS sessionId FROM announcement WHERE settled_at IS NULL AND state = 'pending'",
	);
	return rows.flatMap(({ sessionId }) => getReceiver(sql, { sessionId }) ?? []);
}

export function getReceiver(sql: Sql, input: { readonly sessionId: string }): Receiver | null {
	const row = sql.get<Omit<Receiver, "isBusy" | "isDeleted"> & { isBusy: number; isDeleted: number }>(
		`SELECT id AS sessionId, key, kind, agent_id AS agentId, deleted_at IS NOT NULL AS isDeleted,
			EXISTS (SELECT 1 FROM run WHERE run.session_id = session.id AND ended_at IS NULL AND hold IS NOT 'parked')
				AS isBusy FROM session WHERE id = :sessionId`,
		{ sessionId: input.sessionId },
	);
	return row ? { ...row, isBusy: row.isBusy === 1, isDeleted: row.isDeleted === 1 } : null;
}

/** The ended runs that a session has not been told of, in the order of their ends. */
export function listPending(sql: Sql, input: { readonly sessionId: string }): Run[] {
	return selectRuns(
		sql,
		`JOIN announcement ON announcement.run_id = run.id WHERE announcement.receiver_session_id = :sessionId
			AND announcement.state = 'pending' ORDER BY announcement.created_at, run.seq`,
		{ sessionId: input.sessionId },
	);
}

export interface DeliverAnnouncements {
	readonly sessionId: string;
	/** What is said about each run. Those that are settled meanwhile are left out. */
	readonly announcements: readonly { readonly runId: string; readonly text: string }[];
	/** The receiver's own run that reads them at a boundary; without it a busy receiver gets nothing yet. */
	readonly boundaryOf: string | null;
	/** The run that an idle main session is woken with. */
	readonly wake: AcceptRun | null;
	readonly at: number;
}

export interface Deliveries {
	readonly delivered: readonly { readonly run: Run; readonly text: string }[];
	/** Their receiver is gone. */
	readonly deadLetters: readonly Run[];
	readonly woken: Run | null;
	readonly events: readonly RunEvent[];
}

const nothing: Deliveries = { delivered: [], deadLetters: [], woken: null, events: [] };

/** All of these, or, where the receiver is busy, none. A receiver that is gone makes dead letters, which people see. */
export function deliverAnnouncements(sql: Sql, input: DeliverAnnouncements): Deliveries {
	const { sessionId, boundaryOf, wake, at } = input;
	const receiver = getReceiver(sql, { sessionId });
	if (!receiver) return nothing;
	const canBeBusy = receiver.kind === "main" || receiver.kind === "subagent";
	if (canBeBusy && receiver.isBusy && boundaryOf === null) return nothing;
	const waiting = input.announcements.filter(({ runId }) => isPending(sql, runId));
	if (waiting.length === 0) return nothing;
	if (receiver.isDeleted) return settleAll(sql, waiting, at);
	const delivered = waiting.map(({ runId, text }) => {
		const entry = { turn: 0, kind: "announcement", toolName: null, toolCallId: null, isError: false } as const;
		appendEntries(sql, { sessionId, runId, entries: [{ ...entry, text, at }] });
		return { run: mustGetRun(sql, runId), text };
	});
	const events = delivered.map(({ run }) => announcedEvent(run, at, "delivered"));
	recordEvents(sql, events);
	for (const { run } of delivered) if (run.cleanup === "delete") forgetTranscript(sql, run, at);
	const mayWake = wake !== null && receiver.kind === "main" && !receiver.isBusy;
	const woken = mayWake ? acceptRun(sql, wake) : null;
	if (woken?.kind !== "accepted") return { ...nothing, delivered, events };
	return { ...nothing, delivered, woken: woken.run, events: [...events, ...woken.events] };
}

function isPending(sql: Sql, runId: string): boolean {
	return sql.get("SELECT 1 FROM announcement WHERE run_id = :runId AND state = 'pending'", { runId }) !== undefined;
}

function settleAll(sql: Sql, waiting: DeliverAnnouncements["announcements"], at: number): Deliveries {
	const events = waiting.flatMap(({ runId }) => settle(sql, runId, "dead_letter", at));
	return { ...nothing, deadLetters: waiting.map(({ runId }) => mustGetRun(sql, runId)), events };
}

function settle(sql: Sql, runId: string, state: "not_required" | "dead_letter", at: number): RunEvent[] {
	sql.run("UPDATE announcement SET state = :state, settled_at = :at WHERE run_id = :runId", { runId, state, at });
	const events = [announcedEvent(mustGetRun(sql, runId), at, state)];
	recordEvents(sql, events);
	return events;
}

/** The event for an end that nobody is to be told of: the trigger has settled it already. */
export function announceNeedless(sql: Sql, run: Run, at: number): RunEvent[] {
	if (run.requesterSessionId !== null && run.announceForm !== "none") return [];
	const events = [announcedEvent(run, at, "not_required")];
	recordEvents(sql, events);
	return events;
}

/** The requester has the result already, as the answer that it waited for. */
export function settleAnswered(
	sql: Sql,
	input: { readonly runId: string; readonly at: number },
): { readonly events: readonly RunEvent[] } {
	const events = isPending(sql, input.runId) ? settle(sql, input.runId, "not_required", input.at) : [];
	return { events };
}

/**
 * What was announced to a client's session since it was last asked for, oldest first; each is given once. It has stood in
 * the session's transcript since its delivery.
 */
export function takeResults(
	sql: Sql,
	input: { readonly sessionId: string },
): { readonly runId: string; readonly text: string }[] {
	const { sessionId } = input;
	const results = sql.all<{ runId: string; text: string }>(
		`SELECT entry.run_id AS runId, entry.text FROM untold JOIN entry ON entry.seq = untold.entry_seq
			WHERE untold.session_id = :sessionId ORDER BY untold.entry_seq`,
		{ sessionId },
	);
	if (results.length > 0) sql.run("DELETE FROM untold WHERE session_id = :sessionId", { sessionId });
	return results;
}

/** `retry` lets it wait for delivery again, `dismiss` lets it rest. The run as it is then; nothing may have been to decide. */
export function decideUndelivered(
	sql: Sql,
	input: { readonly runId: string; readonly decision: "retry" | "dismiss"; readonly at: number },
): Run {
	const { runId, decision, at } = input;
	const [state, settledAt] = decision === "retry" ? ["pending", null] : ["dismissed", at];
	sql.run(
		`UPDATE announcement SET state = :state, settled_at = :settledAt
			WHERE run_id = :runId AND state IN ('blocked', 'dead_letter')`,
		{ runId, state, settledAt },
	);
	return mustGetRun(sql, runId);
}

/** `cleanup: delete`: the messages go once they have been announced. The record, its usage and its announcement stay. */
function forgetTranscript(sql: Sql, run: Run, at: number): void {
	const { sessionId } = run;
	sql.run("DELETE FROM entry WHERE session_id = :sessionId AND kind <> 'announcement'", { sessionId });
	sql.run("DELETE FROM todo_item WHERE session_id = :sessionId", { sessionId });
	sql.run("UPDATE session SET deleted_at = :at WHERE id = :sessionId AND deleted_at IS NULL", { sessionId, at });
}
