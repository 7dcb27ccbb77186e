import { BugError } from "../base/errors.ts";
import type { Run, Usage } from "../runs/run.ts";
import { runEvent, type RunEvent } from "../runs/runEvent.ts";
import { canAdvance, isTerminal, type RunState, type TerminalState } from "../runs/runState.ts";
import { recordEvents } from "./events.ts";
import { ensureSession, type NewSession } from "./sessions.ts";
import type { Sql } from "./sql.ts";
import { appendEntries } from "./transcripts.ts";

type RunRow = Omit<Run, "usage"> & Omit<Usage, "estimated"> & { readonly estimated: number };

const columns = `run.id, run.session_id AS sessionId, session.key AS sessionKey,
	run.requester_session_id AS requesterSessionId, run.parent_run_id AS parentRunId, run.host_id AS hostId,
	run.kind, run.lane, run.agent_id AS agentId, run.label, run.task, run.context, run.model, run.state, run.hold,
	run.queued_at AS queuedAt, run.started_at AS startedAt, run.ended_at AS endedAt,
	run.input_tokens AS inputTokens, run.output_tokens AS outputTokens, run.cache_read_tokens AS cacheReadTokens,
	run.reasoning_tokens AS reasoningTokens, run.usd, run.usage_estimated AS estimated, run.summary, run.error`;
const selectRun = `SELECT ${columns} FROM run JOIN session ON session.id = run.session_id`;

function toRun(row: RunRow): Run {
	const { inputTokens, outputTokens, cacheReadTokens, reasoningTokens, usd, estimated, ...rest } = row;
	const usage = { inputTokens, outputTokens, cacheReadTokens, reasoningTokens, usd, estimated: estimated === 1 };
	return { ...rest, usage };
}

export function getRun(sql: Sql, input: { readonly runId: string }): Run | null {
	const row = sql.get<RunRow>(`${selectRun} WHERE run.id = :runId`, { runId: input.runId });
	return row ? toRun(row) : null;
}

/** The newest runs, newest first. */
export function listRuns(sql: Sql, input: { readonly limit: number }): Run[] {
	return sql.all<RunRow>(`${selectRun} ORDER BY run.seq DESC LIMIT :limit`, { limit: input.limit }).map(toRun);
}

/** Runs that have not ended and belong to another host. */
export function listForeignLiveRuns(sql: Sql, input: { readonly hostId: string }): Run[] {
	const query = `${selectRun} WHERE run.ended_at IS NULL AND run.host_id <> :hostId ORDER BY run.seq`;
	return sql.all<RunRow>(query, { hostId: input.hostId }).map(toRun);
}

export interface AcceptRun {
	readonly run: Omit<
		Run,
		"sessionKey" | "requesterSessionId" | "state" | "hold" | "startedAt" | "endedAt" | "usage" | "summary" | "error"
	>;
	readonly session: NewSession;
	/** Created when it is not there yet. */
	readonly requester: NewSession;
	/** What the model is told first. */
	readonly prompt: string;
}

/** Session, run, first message and events in one transaction: what is accepted here is never lost. */
export function acceptRun(sql: Sql, input: AcceptRun): { run: Run; queuePosition: number; events: RunEvent[] } {
	const requesterSessionId = ensureSession(sql, { ...input.requester, parentSessionId: null });
	const sessionId = ensureSession(sql, { ...input.session, parentSessionId: requesterSessionId });
	const { id, parentRunId, hostId, kind, lane, agentId, label, task, context, model, queuedAt } = input.run;
	sql.run(
		`INSERT INTO run (id, session_id, requester_session_id, parent_run_id, host_id, kind, lane, agent_id, label, task,
			context, model, state, queued_at)
		VALUES (:id, :sessionId, :requesterSessionId, :parentRunId, :hostId, :kind, :lane, :agentId, :label, :task,
			:context, :model, 'queued', :queuedAt)`,
		{
			id,
			sessionId,
			requesterSessionId,
			parentRunId,
			hostId,
			kind,
			lane,
			agentId,
			label,
			task,
			context,
			model,
			queuedAt,
		},
	);
	const prompt = {
		turn: 0,
		kind: "user",
		toolName: null,
		toolCallId: null,
		text: input.prompt,
		isError: false,
		at: queuedAt,
	} as const;
	appendEntries(sql, { sessionId, runId: id, entries: [prompt] });
	const run = mustGet(sql, id);
	const queuePosition = positionInLane(sql, run);
	const events = [
		runEvent(run, queuedAt, { type: "subagent.spawned" }),
		runEvent(run, queuedAt, { type: "subagent.queued", queuePosition }),
	];
	recordEvents(sql, events);
	return { run, queuePosition, events };
}

export interface ClaimRuns {
	readonly hostId: string;
	readonly lane: string;
	/** How many of this lane may execute at once, over all hosts. */
	readonly limit: number;
	readonly at: number;
}

/**
 * Starts this host's oldest queued runs while the lane has room. The only way a run starts: the count and the start are
 * one transaction, so the limit holds over all windows. A run whose session is busy is passed over.
 */
export function claimRuns(sql: Sql, input: ClaimRuns): { runs: Run[]; events: RunEvent[] } {
	const { lane, hostId, limit, at } = input;
	const busy = sql.get<{ count: number }>(
		"SELECT count(*) AS count FROM run WHERE lane = :lane AND state = 'running'",
		{ lane },
	);
	const free = limit - (busy?.count ?? 0);
	if (free <= 0) return { runs: [], events: [] };
	const candidates = sql.all<{ id: string }>(
		`SELECT id FROM run WHERE lane = :lane AND host_id = :hostId AND state = 'queued' AND hold IS NULL
			AND seq = (SELECT min(seq) FROM run AS same WHERE same.session_id = run.session_id AND same.ended_at IS NULL)
		ORDER BY seq LIMIT :free`,
		{ lane, hostId, free },
	);
	const runs = candidates.map(({ id }) => {
		sql.run("UPDATE run SET state = 'running', started_at = :at WHERE id = :id", { id, at });
		return mustGet(sql, id);
	});
	const events = runs.map((run) => runEvent(run, at, { type: "subagent.started", model: run.model }));
	recordEvents(sql, events);
	return { runs, events };
}

export interface EndRun {
	readonly runId: string;
	readonly state: TerminalState;
	readonly at: number;
	readonly usage: Usage;
	readonly summary: string | null;
	readonly error: string | null;
	/** What the requester will read. */
	readonly announcement: string;
}

/**
 * The terminal state and its outbox entry in one transaction. The first end wins: a later one changes nothing and gets
 * `ended: false`.
 */
export function endRun(sql: Sql, input: EndRun): { run: Run; ended: boolean; events: RunEvent[] } {
	const before = mustGet(sql, input.runId);
	if (isTerminal(before.state)) return { run: before, ended: false, events: [] };
	if (!canAdvance(before.state, input.state)) {
		throw new BugError(`A run cannot go from ${before.state} to ${input.state}`);
	}
	const { runId, state, at, summary, error } = input;
	const { inputTokens, outputTokens, cacheReadTokens, reasoningTokens, usd, estimated } = input.usage;
	sql.run(
		`UPDATE run SET state = :state, hold = NULL, ended_at = :at, summary = :summary, error = :error,
			input_tokens = :inputTokens, output_tokens = :outputTokens, cache_read_tokens = :cacheReadTokens,
			reasoning_tokens = :reasoningTokens, usd = :usd, usage_estimated = :estimated WHERE id = :runId`,
		{
			runId,
			state,
			at,
			summary,
			error,
			inputTokens,
			outputTokens,
			cacheReadTokens,
			reasoningTokens,
			usd,
			estimated: Number(estimated),
		},
	);
	sql.run("INSERT INTO outbox (run_id, receiver_session_id, text, created_at) VALUES (:runId, :receiver, :text, :at)", {
		runId,
		receiver: before.requesterSessionId,
		text: input.announcement,
		at,
	});
	const run = mustGet(sql, runId);
	const events: RunEvent[] = [runEvent(run, at, { type: "subagent.ended", state, usage: run.usage, summary })];
	if (isFailure(state)) events.push(runEvent(run, at, { type: "subagent.failed", state, error }));
	recordEvents(sql, events);
	return { run, ended: true, events };
}

function isFailure(state: RunState): boolean {
	return state === "error" || state === "timeout" || state === "lost";
}

/** Queued runs of a host that is gone wait, parked, until someone resumes them. */
export function parkRuns(sql: Sql, input: { readonly runIds: readonly string[] }): Run[] {
	return input.runIds.map((id) => {
		sql.run("UPDATE run SET hold = 'parked' WHERE id = :id AND state = 'queued'", { id });
		return mustGet(sql, id);
	});
}

/** Takes every parked run over to this host and puts it back into its lane. */
export function unparkRuns(sql: Sql, input: { readonly hostId: string }): Run[] {
	const parked = sql.all<{ id: string }>("SELECT id FROM run WHERE hold = 'parked' AND ended_at IS NULL ORDER BY seq");
	return parked.map(({ id }) => {
		sql.run("UPDATE run SET hold = NULL, host_id = :hostId WHERE id = :id", { id, hostId: input.hostId });
		return mustGet(sql, id);
	});
}

function positionInLane(sql: Sql, run: Run): number {
	const row = sql.get<{ count: number }>(
		`SELECT count(*) AS count FROM run WHERE lane = :lane AND state = 'queued' AND hold IS NULL
			AND seq <= (SELECT seq FROM run WHERE id = :id)`,
		{ lane: run.lane, id: run.id },
	);
	return row?.count ?? 0;
}

function mustGet(sql: Sql, runId: string): Run {
	const run = getRun(sql, { runId });
	if (!run) throw new BugError(`There is no run ${runId} in the store`);
	return run;
}
