import type { Surface } from "../runs/approval.ts";
import type { Plan, PlanComment, PlanRevision } from "../runs/plan.ts";
import { titleOf, type Run } from "../runs/run.ts";
import type { RunEvent } from "../runs/runEvent.ts";
import { acceptRun, type AcceptRun } from "./acceptRun.ts";
import { mustGetRun } from "./runRows.ts";
import type { Sql } from "./sql.ts";

const columns = `plan.id, plan.run_id AS runId, plan.session_id AS sessionId, session.key AS sessionKey,
	run.agent_id AS agentId, run.label, run.task, plan.state, plan_revision.revision, plan_revision.text,
	plan_revision.hash, plan_revision.author, plan.created_at AS createdAt, plan.decided_by AS decidedBy,
	plan.decided_pid AS decidedPid, plan.decided_at AS decidedAt, plan.reason, plan.successor_id AS successorId,
	plan.carried_out_by AS carriedOutBy`;
const selectPlan = `SELECT ${columns} FROM plan JOIN run ON run.id = plan.run_id JOIN session ON session.id = plan.session_id
	JOIN plan_revision ON plan_revision.plan_id = plan.id
		AND plan_revision.revision = (SELECT max(revision) FROM plan_revision WHERE plan_id = plan.id)`;

type PlanRow = Omit<Plan, "title"> & { readonly label: string | null; readonly task: string };

function select(sql: Sql, rest: string, parameters: Readonly<Record<string, string | number>>): Plan[] {
	return sql.all<PlanRow>(`${selectPlan} ${rest}`, { ...parameters }).map(({ label, task, ...plan }) => ({
		...plan,
		title: titleOf({ label, task }),
	}));
}

export interface NewPlan {
	readonly id: string;
	readonly text: string;
	readonly hash: string;
}

/**
 * What a run in plan mode ended with, in the transaction of its end. An earlier plan of the session that nobody has decided
 * is replaced by it.
 */
export function insertPlan(sql: Sql, run: Run, plan: NewPlan, at: number): void {
	const { id, text, hash } = plan;
	const isReady = run.state === "ok";
	sql.run(
		"INSERT INTO plan (id, run_id, session_id, state, created_at) VALUES (:id, :runId, :sessionId, :state, :at)",
		{ id, runId: run.id, sessionId: run.sessionId, state: isReady ? "awaiting" : "failed", at },
	);
	addRevision(sql, { planId: id, revision: 1, text, hash, author: "agent", at });
	if (!isReady) return;
	sql.run(
		`UPDATE plan SET state = 'rejected', decided_at = :at, reason = 'Another plan was made.'
			WHERE session_id = :sessionId AND id <> :id AND state = 'awaiting'`,
		{ sessionId: run.sessionId, id, at },
	);
	sql.run(
		`UPDATE plan SET successor_id = :id WHERE session_id = :sessionId AND id <> :id AND state = 'rejected'
			AND successor_id IS NULL`,
		{ sessionId: run.sessionId, id },
	);
}

function addRevision(sql: Sql, input: PlanRevision & { readonly planId: string }): void {
	const { planId, revision, text, hash, author, at } = input;
	sql.run(
		`INSERT INTO plan_revision (plan_id, revision, text, hash, author, at)
			VALUES (:planId, :revision, :text, :hash, :author, :at)`,
		{ planId, revision, text, hash, author, at },
	);
}

export function getPlan(sql: Sql, input: { readonly id: string }): Plan | null {
	return select(sql, "WHERE plan.id = :id", { id: input.id })[0] ?? null;
}

export function getPlanOfRun(sql: Sql, input: { readonly runId: string }): Plan | null {
	return select(sql, "WHERE plan.run_id = :runId", { runId: input.runId })[0] ?? null;
}

/** Those whose id begins so; two are enough to know that it is not unique. */
export function findPlans(sql: Sql, input: { readonly prefix: string }): Plan[] {
	const { prefix } = input;
	const rest = "WHERE plan.id >= :prefix AND plan.id < :end ORDER BY plan.id LIMIT 2";
	return select(sql, rest, { prefix, end: `${prefix}\u{10FFFF}` });
}

/** What waits for a decision, oldest first. */
export function listAwaitingPlans(sql: Sql): Plan[] {
	return select(sql, "WHERE plan.state = 'awaiting' ORDER BY plan.seq", {});
}

/** The plans of the runs that a session asked for, newest first. */
export function listPlansFor(sql: Sql, input: { readonly requesterSessionId: string; readonly limit: number }): Plan[] {
	const rest = "WHERE run.requester_session_id = :requesterSessionId ORDER BY plan.seq DESC LIMIT :limit";
	return select(sql, rest, { ...input });
}

/** The plan of a session that waits for a decision. */
export function getAwaitingPlan(sql: Sql, input: { readonly sessionId: string }): Plan | null {
	const rest = "WHERE plan.session_id = :sessionId AND plan.state = 'awaiting' ORDER BY plan.seq DESC LIMIT 1";
	return select(sql, rest, { sessionId: input.sessionId })[0] ?? null;
}

export function listPlanRevisions(sql: Sql, input: { readonly id: string }): PlanRevision[] {
	return sql.all<PlanRevision>(
		"SELECT revision, text, hash, author, at FROM plan_revision WHERE plan_id = :id ORDER BY revision",
		{ id: input.id },
	);
}

/** A person has saved the plan's document. Null when it is decided: then its text is settled. */
export function savePlan(
	sql: Sql,
	input: { readonly id: string; readonly text: string; readonly hash: string; readonly at: number },
): Plan | null {
	const { id, text, hash, at } = input;
	const plan = getPlan(sql, { id });
	if (!plan || plan.state !== "awaiting") return null;
	if (plan.hash !== hash) {
		addRevision(sql, { planId: id, revision: plan.revision + 1, text, hash, author: "user", at });
	}
	return getPlan(sql, { id });
}

export interface DecidePlan {
	readonly id: string;
	readonly to: "approved" | "rejected" | "closed";
	/** Of the text that was decided about; null = whatever is saved last. */
	readonly hash: string | null;
	readonly reason: string | null;
	readonly by: Surface | "agent";
	readonly pid: number;
	/** The run that follows: it carries the plan out, or makes another. Null when it is closed. */
	readonly next: AcceptRun | null;
	readonly at: number;
}

export type PlanDecision =
	| { readonly kind: "decided"; readonly plan: Plan; readonly run: Run | null; readonly events: readonly RunEvent[] }
	/** Somebody was first; nothing was changed. */
	| { readonly kind: "late"; readonly plan: Plan }
	/** Its text is not the one that was decided about. */
	| { readonly kind: "changed"; readonly plan: Plan };

/** Decides, once, and accepts the run that follows from it, in one transaction. */
export function decidePlan(sql: Sql, input: DecidePlan): PlanDecision | null {
	const { id, to, hash, reason, by, pid, next, at } = input;
	const plan = getPlan(sql, { id });
	if (!plan) return null;
	if (plan.state !== "awaiting") return { kind: "late", plan };
	if (hash !== null && hash !== plan.hash) return { kind: "changed", plan };
	const acceptance = next && acceptRun(sql, next);
	const run = acceptance?.kind === "accepted" ? mustGetRun(sql, acceptance.run.id) : null;
	sql.run(
		`UPDATE plan SET state = :to, decided_by = :by, decided_pid = :pid, decided_at = :at, reason = :reason,
			approved_hash = :approvedHash, carried_out_by = :carriedOutBy WHERE id = :id`,
		{
			id,
			to,
			by,
			pid,
			at,
			reason,
			approvedHash: to === "approved" ? plan.hash : null,
			carriedOutBy: to === "approved" ? (run?.id ?? null) : null,
		},
	);
	const decided = getPlan(sql, { id }) ?? plan;
	return { kind: "decided", plan: decided, run, events: acceptance?.kind === "accepted" ? acceptance.events : [] };
}

const commentColumns = "id, plan_id AS planId, revision, line, quoted, text, at";

export function listPlanComments(sql: Sql, input: { readonly planId: string }): PlanComment[] {
	return sql.all<PlanComment>(`SELECT ${commentColumns} FROM plan_comment WHERE plan_id = :planId ORDER BY line, id`, {
		planId: input.planId,
	});
}

/** Adds a remark, or says it in other words. */
export function putPlanComment(sql: Sql, input: PlanComment): void {
	const { id, planId, revision, line, quoted, text, at } = input;
	sql.run(
		`INSERT INTO plan_comment (id, plan_id, revision, line, quoted, text, at)
			VALUES (:id, :planId, :revision, :line, :quoted, :text, :at)
			ON CONFLICT (id) DO UPDATE SET text = excluded.text, at = excluded.at`,
		{ id, planId, revision, line, quoted, text, at },
	);
}

export function removePlanComment(sql: Sql, input: { readonly id: string }): void {
	sql.run("DELETE FROM plan_comment WHERE id = :id", { id: input.id });
}
