import type { Sql } from "./sql.ts";
import { appendEntries } from "./transcripts.ts";

export interface BeginEffect {
	readonly runId: string;
	readonly sessionId: string;
	readonly callId: string;
	readonly tool: string;
	readonly kind: string;
	readonly subject: string;
	readonly inputHash: string;
	/** Which rule or default allowed it. */
	readonly because: string;
	readonly at: number;
}

/** The start of a call that reaches the world, before it does. False when its run has ended: then it must not start. */
export function beginEffect(sql: Sql, input: BeginEffect): boolean {
	const { runId, sessionId, callId, tool, kind, subject, inputHash, because, at } = input;
	if (!isLive(sql, runId)) return false;
	sql.run(
		`INSERT INTO effect (run_id, call_id, tool, kind, subject, input_hash, because, at)
		VALUES (:runId, :callId, :tool, :kind, :subject, :inputHash, :because, :at)`,
		{ runId, callId, tool, kind, subject, inputHash, because, at },
	);
	const notice = { turn: 0, kind: "notice", toolName: null, toolCallId: null, isError: false } as const;
	appendEntries(sql, { sessionId, runId, entries: [{ ...notice, text: `${tool} may: ${because}.`, at }] });
	return true;
}

export interface PlanChange {
	readonly runId: string;
	readonly callId: string;
	readonly path: string;
	readonly preImage: Uint8Array | null;
	readonly baseHash: string | null;
	readonly intendedHash: string;
	readonly at: number;
}

/** What is about to be done to a file. Rejected for a run that has ended. */
export function planChange(sql: Sql, input: PlanChange): boolean {
	const { runId, callId, path, preImage, baseHash, intendedHash, at } = input;
	if (!isLive(sql, runId)) return false;
	sql.run(
		`INSERT INTO change (run_id, call_id, path, pre_image, base_hash, intended_hash, at)
		VALUES (:runId, :callId, :path, :preImage, :baseHash, :intendedHash, :at)`,
		{ runId, callId, path, preImage, baseHash, intendedHash, at },
	);
	return true;
}

export function settleChange(
	sql: Sql,
	input: {
		readonly runId: string;
		readonly callId: string;
		readonly path: string;
		readonly outcome: "written" | "notWritten";
		readonly at: number;
	},
): void {
	const { runId, callId, path, outcome, at } = input;
	sql.run(
		`UPDATE change SET outcome = :outcome, settled_at = :at
		WHERE run_id = :runId AND call_id = :callId AND path = :path AND outcome IS NULL`,
		{ runId, callId, path, outcome, at },
	);
}

/** A change without what was there before. */
export interface Change {
	readonly runId: string;
	readonly callId: string;
	readonly path: string;
	readonly baseHash: string | null;
	readonly intendedHash: string;
	readonly outcome: "written" | "notWritten" | null;
	readonly at: number;
}

/** What the runs of a session began to change and nobody knows the outcome of: their process ended in between. */
export function listOpenChanges(sql: Sql, input: { readonly sessionId: string }): Change[] {
	return sql.all<Change>(
		`SELECT run_id AS runId, call_id AS callId, path, base_hash AS baseHash, intended_hash AS intendedHash, outcome, at
			FROM change WHERE outcome IS NULL AND run_id IN (SELECT id FROM run WHERE session_id = :sessionId) ORDER BY seq`,
		{ sessionId: input.sessionId },
	);
}

function isLive(sql: Sql, runId: string): boolean {
	return sql.get("SELECT 1 FROM run WHERE id = :runId AND ended_at IS NULL", { runId }) !== undefined;
}
