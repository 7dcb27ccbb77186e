import type { Approval, ApprovalOffer, ApprovalScope, StandingAnswerRecord, Surface } from "../runs/approval.ts";
import { describeAnswer } from "../runs/describeAnswer.ts";
import { isTerminal } from "../runs/runState.ts";
import { mustGetRun } from "./runRows.ts";
import type { Sql } from "./sql.ts";
import { appendEntries } from "./transcripts.ts";

type ApprovalRow = Omit<Approval, "offers"> & { readonly offers: string };

const columns = `id, run_id AS runId, session_id AS sessionId, agent_path AS agentPath, call_id AS callId, tool, effect,
	subject, input, hash, why, offers, created_at AS createdAt, state, scope, reason, answered_by AS answeredBy,
	answered_pid AS answeredPid, answered_at AS answeredAt`;

export type NewApproval = Pick<
	Approval,
	"id" | "runId" | "callId" | "tool" | "effect" | "subject" | "input" | "hash" | "why" | "offers"
> & { readonly at: number };

/** Asks. The same call asked again is the same question. Null when its run has ended. */
export function openApproval(sql: Sql, input: NewApproval): Approval | null {
	const { id, runId, callId, tool, effect, subject, hash, why, offers, at } = input;
	const run = mustGetRun(sql, runId);
	if (isTerminal(run.state)) return null;
	const known = sql.get<{ id: string }>(
		"SELECT id FROM approval WHERE run_id = :runId AND call_id = :callId AND kind = 'tool'",
		{ runId, callId },
	);
	if (known) return getApproval(sql, known);
	sql.run(
		`INSERT INTO approval (id, kind, run_id, session_id, agent_path, call_id, tool, effect, subject, input, hash, why,
			offers, created_at, state) VALUES (:id, 'tool', :runId, :sessionId, :agentPath, :callId, :tool, :effect, :subject,
			:input, :hash, :why, :offers, :at, 'waiting')`,
		{
			id,
			runId,
			sessionId: run.sessionId,
			agentPath: agentPathOf(sql, runId),
			callId,
			tool,
			effect,
			subject,
			input: input.input,
			hash,
			why,
			offers: JSON.stringify(offers),
			at,
		},
	);
	return getApproval(sql, { id });
}

/** The agents on the way down, the outermost first. */
function agentPathOf(sql: Sql, runId: string): string {
	const rows = sql.all<{ agentId: string }>(
		`WITH RECURSIVE up (id, agent_id, parent_run_id, height) AS (
			SELECT id, agent_id, parent_run_id, 0 FROM run WHERE id = :runId
			UNION ALL SELECT run.id, run.agent_id, run.parent_run_id, height + 1 FROM run JOIN up ON run.id = up.parent_run_id
				WHERE height < 8)
		SELECT agent_id AS agentId FROM up ORDER BY height DESC`,
		{ runId },
	);
	return rows.map(({ agentId }) => agentId).join(" › ");
}

export function getApproval(sql: Sql, input: { readonly id: string }): Approval | null {
	return select(sql, "WHERE id = :id", { id: input.id })[0] ?? null;
}

/** Those whose id begins so; two are enough to know that it is not unique. */
export function findApprovals(sql: Sql, input: { readonly prefix: string }): Approval[] {
	const { prefix } = input;
	return select(sql, "WHERE id >= :prefix AND id < :end ORDER BY id LIMIT 2", { prefix, end: `${prefix}\u{10FFFF}` });
}

/** What waits for a person, oldest first. */
export function listWaitingApprovals(sql: Sql): Approval[] {
	return select(sql, "WHERE state = 'waiting' ORDER BY seq", {});
}

/** What was asked for a run, oldest first. */
export function listApprovalsOfRun(sql: Sql, input: { readonly runId: string }): Approval[] {
	return select(sql, "WHERE run_id = :runId ORDER BY seq", { runId: input.runId });
}

function select(sql: Sql, rest: string, parameters: Readonly<Record<string, string>>): Approval[] {
	const rows = sql.all<ApprovalRow>(`SELECT ${columns} FROM approval ${rest}`, { ...parameters });
	return rows.map((row) => ({ ...row, offers: JSON.parse(row.offers) as ApprovalOffer[] }));
}

export interface AnswerApproval {
	readonly id: string;
	readonly verdict: "allow" | "deny";
	readonly scope: ApprovalScope;
	readonly reason: string | null;
	readonly by: Surface;
	readonly pid: number;
	readonly at: number;
	/** The ids of the standing answers that a wider scope makes, one for each rule. */
	readonly answerIds: readonly string[];
	readonly agentHash: string | null;
}

export type ApprovalAnswer =
	| { readonly kind: "answered"; readonly approval: Approval }
	/** Somebody was first, or its run has ended; nothing was changed. */
	| { readonly kind: "late"; readonly approval: Approval }
	/** So far no answer may reach here. */
	| { readonly kind: "tooWide"; readonly approval: Approval };

/** Answers, once. What follows from it, the line in the transcript and standing answers, is in the same transaction. */
export function answerApproval(sql: Sql, input: AnswerApproval): ApprovalAnswer | null {
	const { id, verdict, scope, reason, by, pid, at } = input;
	const approval = getApproval(sql, { id });
	if (!approval) return null;
	if (approval.state !== "waiting") return { kind: "late", approval };
	const offer = approval.offers.find((each) => each.scope === scope);
	if (scope !== "once" && !offer) return { kind: "tooWide", approval };
	sql.run(
		`UPDATE approval SET state = :state, scope = :scope, reason = :reason, answered_by = :by, answered_pid = :pid,
			answered_at = :at WHERE id = :id`,
		{ id, state: verdict === "allow" ? "allowed" : "denied", scope, reason, by, pid, at },
	);
	if (scope === "run" || scope === "agent") keepAnswers(sql, approval, input, offer?.rules ?? []);
	const answered = getApproval(sql, { id }) ?? approval;
	sayInTranscript(sql, answered, at);
	return { kind: "answered", approval: answered };
}

function keepAnswers(sql: Sql, approval: Approval, input: AnswerApproval, rules: readonly string[]): void {
	const { verdict, scope, answerIds, agentHash, at } = input;
	const { agentId } = mustGetRun(sql, approval.runId);
	for (const [index, rule] of rules.entries()) {
		sql.run(
			`INSERT INTO standing_answer (id, approval_id, verdict, scope, run_id, agent_id, agent_hash, rule, created_at)
			VALUES (:id, :approvalId, :verdict, :scope, :runId, :agentId, :agentHash, :rule, :at)`,
			{
				id: answerIds[index] ?? `${approval.id}-${index}`,
				approvalId: approval.id,
				verdict,
				scope,
				runId: approval.runId,
				agentId,
				agentHash,
				rule,
				at,
			},
		);
	}
}

function sayInTranscript(sql: Sql, approval: Approval, at: number): void {
	const { sessionId, runId, tool, subject, reason } = approval;
	const words = reason === null ? "" : ` “${reason}”`;
	const text = `${describeAnswer(approval)}: ${tool} ${subject.slice(0, 500)}${words}`;
	const notice = { turn: 0, kind: "notice", toolName: null, toolCallId: null, isError: false } as const;
	appendEntries(sql, { sessionId, runId, entries: [{ ...notice, text, at }] });
}

const answerColumns = `id, verdict, scope, run_id AS runId, agent_id AS agentId, agent_hash AS agentHash, rule,
	created_at AS createdAt`;

/** The answers that hold for a run now: those given for it, and those given for its agent. */
export function listStandingAnswers(sql: Sql, input: { readonly runId: string }): StandingAnswerRecord[] {
	return sql.all<StandingAnswerRecord>(
		`SELECT ${answerColumns} FROM standing_answer WHERE revoked_at IS NULL AND (
			(scope = 'run' AND run_id = :runId)
			OR (scope = 'agent' AND agent_id = (SELECT agent_id FROM run WHERE id = :runId))) ORDER BY id`,
		{ runId: input.runId },
	);
}

/** Every answer that still holds: for a run only while it lives. */
export function listAllStandingAnswers(sql: Sql): StandingAnswerRecord[] {
	return sql.all<StandingAnswerRecord>(
		`SELECT ${answerColumns} FROM standing_answer WHERE revoked_at IS NULL AND (scope = 'agent'
			OR EXISTS (SELECT 1 FROM run WHERE run.id = run_id AND run.ended_at IS NULL)) ORDER BY id`,
	);
}

/** Whether it held until now. */
export function revokeAnswer(sql: Sql, input: { readonly id: string; readonly at: number }): boolean {
	const { id, at } = input;
	return sql.run("UPDATE standing_answer SET revoked_at = :at WHERE id = :id AND revoked_at IS NULL", { id, at }) > 0;
}
