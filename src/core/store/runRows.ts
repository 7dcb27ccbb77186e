import { BugError } from "../base/errors.ts";
import type { Work } from "../runs/budget.ts";
import type { Finding } from "../runs/finding.ts";
import type { Run, Usage } from "../runs/run.ts";
import type { RunRequest } from "../runs/runRequest.ts";
import type { Sql } from "./sql.ts";

type RunRow = Omit<Run, "usage" | "work" | "request" | "findings"> &
	Omit<Usage, "estimated"> &
	Work & { readonly estimated: number; readonly request: string; readonly findings: string | null };

const columns = `run.id, run.session_id AS sessionId, session.key AS sessionKey,
	run.requester_session_id AS requesterSessionId, run.parent_run_id AS parentRunId, run.host_id AS hostId,
	run.kind, run.lane, run.cause, run.agent_id AS agentId, run.role, run.label, run.task, run.model, run.request,
	run.announce_form AS announceForm, run.cleanup, run.state, run.hold, run.priority, run.place,
	run.wants_since AS wantsSince, run.stop_requested_at AS stopRequestedAt,
	run.queued_at AS queuedAt, run.started_at AS startedAt, run.ended_at AS endedAt,
	run.input_tokens AS inputTokens, run.output_tokens AS outputTokens, run.cache_read_tokens AS cacheReadTokens,
	run.reasoning_tokens AS reasoningTokens, run.usd, run.usage_estimated AS estimated, run.turns,
	run.tool_calls AS toolCalls, run.spawns, run.summary, run.findings, run.error,
	run.failure, run.parked_because AS parkedBecause,
	run.archived_at AS archivedAt,
	(SELECT announcement.state FROM announcement WHERE announcement.run_id = run.id
		AND announcement.state IN ('blocked', 'dead_letter')) AS undelivered,
	(SELECT coalesce(max(seq), 0) FROM event WHERE event.run_id = run.id) AS revision`;
const selectRun = `SELECT ${columns} FROM run JOIN session ON session.id = run.session_id`;

/** The runs that a condition on `run` and `session` selects, which may also say the order. */
export function selectRuns(
	sql: Sql,
	rest: string,
	parameters: Readonly<Record<string, string | number | null>>,
): Run[] {
	return sql.all<RunRow>(`${selectRun} ${rest}`, { ...parameters }).map(toRun);
}

export function getRun(sql: Sql, input: { readonly runId: string }): Run | null {
	return selectRuns(sql, "WHERE run.id = :runId", { runId: input.runId })[0] ?? null;
}

/** For a run that is known to be there. */
export function mustGetRun(sql: Sql, runId: string): Run {
	const run = getRun(sql, { runId });
	if (!run) throw new BugError(`There is no run ${runId} in the store`);
	return run;
}

/** The same record with what has happened to it since it was read, for an answer that tells of an event. */
export function withRevision(sql: Sql, run: Run): Run {
	const last = sql.get<{ seq: number | null }>("SELECT max(seq) AS seq FROM event WHERE run_id = :id", { id: run.id });
	return { ...run, revision: last?.seq ?? 0 };
}

/** The newest runs, newest first; archived ones only when asked for. */
export function listRuns(sql: Sql, input: { readonly limit: number; readonly withArchived?: boolean }): Run[] {
	const { limit, withArchived = false } = input;
	const rest = `${withArchived ? "" : "WHERE run.archived_at IS NULL"} ORDER BY run.seq DESC LIMIT :limit`;
	return selectRuns(sql, rest, { limit });
}

export interface RunList {
	readonly runs: readonly Run[];
	/** A run with more than this is newer than the list. */
	readonly revision: number;
}

/** The newest runs, as surfaces show them, and how new that is. */
export function readRunList(sql: Sql, input: { readonly limit: number }): RunList {
	const last = sql.get<{ revision: number | null }>("SELECT max(seq) AS revision FROM event");
	return { runs: listRuns(sql, input), revision: last?.revision ?? 0 };
}

/** The runs whose id begins so; two are enough to know that it is not unique. */
export function findRuns(sql: Sql, input: { readonly prefix: string }): Run[] {
	const { prefix } = input;
	return selectRuns(sql, "WHERE run.id >= :prefix AND run.id < :end ORDER BY run.id LIMIT 2", {
		prefix,
		end: `${prefix}\u{10FFFF}`,
	});
}

/** The runs that a session has asked for and that still count, oldest first. */
export function listChildren(sql: Sql, input: { readonly sessionId: string; readonly limit: number }): Run[] {
	const rest = "WHERE run.requester_session_id = :sessionId AND run.archived_at IS NULL ORDER BY run.seq LIMIT :limit";
	return selectRuns(sql, rest, { sessionId: input.sessionId, limit: input.limit });
}

/** The live runs that a run has spawned. */
export function listLiveChildren(sql: Sql, input: { readonly runId: string }): Run[] {
	const rest = "WHERE run.parent_run_id = :runId AND run.ended_at IS NULL ORDER BY run.seq";
	return selectRuns(sql, rest, { runId: input.runId });
}

/** All runs of one session, newest first. */
export function listRunsOfSession(sql: Sql, input: { readonly sessionId: string; readonly limit: number }): Run[] {
	const rest = "WHERE run.session_id = :sessionId ORDER BY run.seq DESC LIMIT :limit";
	return selectRuns(sql, rest, { sessionId: input.sessionId, limit: input.limit });
}

function toRun(row: RunRow): Run {
	const { inputTokens, outputTokens, cacheReadTokens, reasoningTokens, usd, estimated, ...others } = row;
	const { turns, toolCalls, spawns, request, findings, ...rest } = others;
	const usage = { inputTokens, outputTokens, cacheReadTokens, reasoningTokens, usd, estimated: estimated === 1 };
	return {
		...rest,
		request: JSON.parse(request) as RunRequest,
		usage,
		work: { turns, toolCalls, spawns },
		...(findings !== null && { findings: JSON.parse(findings) as readonly Finding[] }),
	};
}
