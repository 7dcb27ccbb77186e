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

/** A call that reached the world, or was about to, and whose result nobody has. */
export interface OpenEffect {
	readonly seq: number;
	readonly tool: string;
	readonly kind: string;
	/** The real path of a file, the command, the address. */
	readonly subject: string;
	/** What it was about to do to a file. Nothing is written before this is there. */
	readonly change: { readonly path: string; readonly baseHash: string | null; readonly intendedHash: string } | null;
}

type OpenEffectRow = Omit<OpenEffect, "change"> & {
	readonly path: string | null;
	readonly baseHash: string | null;
	readonly intendedHash: string | null;
};

/** More would only hide what matters. */
const mostOpen = 50;

/** The calls that the ended runs of a session have begun and not come back from, and that nobody has been told of. */
export function listOpenEffects(sql: Sql, input: { readonly sessionId: string }): OpenEffect[] {
	const rows = sql.all<OpenEffectRow>(
		`SELECT effect.seq, effect.tool, effect.kind, effect.subject, change.path, change.base_hash AS baseHash,
			change.intended_hash AS intendedHash
			FROM effect JOIN run ON run.id = effect.run_id AND run.ended_at IS NOT NULL
			LEFT JOIN change ON change.run_id = effect.run_id AND change.call_id = effect.call_id AND change.at >= effect.at
			WHERE effect.judged_at IS NULL
				AND effect.run_id IN (SELECT DISTINCT run_id FROM entry WHERE session_id = :sessionId AND kind = 'notice')
				AND NOT EXISTS (SELECT 1 FROM entry WHERE entry.run_id = effect.run_id AND entry.kind = 'tool_result'
					AND entry.tool_call_id = effect.call_id AND entry.at >= effect.at)
			GROUP BY effect.seq ORDER BY effect.seq LIMIT ${mostOpen}`,
		{ sessionId: input.sessionId },
	);
	return rows.map(({ path, baseHash, intendedHash, ...effect }) => {
		const change = path !== null && intendedHash !== null ? { path, baseHash, intendedHash } : null;
		return { ...effect, change };
	});
}

export interface TellEffects {
	readonly runId: string;
	readonly sessionId: string;
	readonly seqs: readonly number[];
	/** What was found out of them, as the model of this run reads it. */
	readonly text: string;
	readonly toolName: string;
	readonly at: number;
}

/** Puts what is known of open calls into the transcript of the run that goes on, once. */
export function tellEffects(sql: Sql, input: TellEffects): void {
	const { runId, sessionId, seqs, text, toolName, at } = input;
	if (!isLive(sql, runId)) return;
	for (const seq of seqs) sql.run("UPDATE effect SET judged_at = :at WHERE seq = :seq", { seq, at });
	const notice = { turn: 0, kind: "notice", toolName, toolCallId: null, isError: false } as const;
	appendEntries(sql, { sessionId, runId, entries: [{ ...notice, text, at }] });
}

function isLive(sql: Sql, runId: string): boolean {
	return sql.get("SELECT 1 FROM run WHERE id = :runId AND ended_at IS NULL", { runId }) !== undefined;
}
