import type { AnnounceForm, Run, RunCause } from "../runs/run.ts";
import { runEvent, type RunEvent } from "../runs/runEvent.ts";
import type { RunRequest } from "../runs/runRequest.ts";
import { recordEvents } from "./events.ts";
import { refuseFenced } from "./fence.ts";
import { positionInLane } from "./lanes.ts";
import { noteSpawn } from "./ledger.ts";
import { refreshReadiness } from "./readiness.ts";
import { mustGetRun, selectRuns, withRevision } from "./runRows.ts";
import { ensureSession, type NewSession } from "./sessions.ts";
import type { Sql } from "./sql.ts";
import { appendEntries } from "./transcripts.ts";

export interface AcceptRun {
	readonly id: string;
	readonly hostId: string;
	readonly kind: Run["kind"];
	readonly lane: Run["lane"];
	readonly cause: RunCause;
	readonly agentId: string;
	readonly role: string | null;
	readonly label: string | null;
	readonly task: string;
	readonly model: string;
	readonly request: RunRequest;
	readonly announceForm: AnnounceForm;
	readonly cleanup: "keep" | "delete";
	readonly parentRunId: string | null;
	readonly priority: number;
	/** Where it runs; created when it is not there yet. */
	readonly session: NewSession;
	/** Who asked, created when it is not there yet; null for a turn that nobody spawned. */
	readonly requester: NewSession | null;
	/** What the model is told; empty when there is nothing to add to the transcript. */
	readonly prompt: string;
	/** The same key again means the same run. */
	readonly retry: { readonly key: string; readonly hash: string } | null;
	/** How many of the requester's runs may live, and be kept, at once; null = a person asked, who is never refused. */
	readonly limits: { readonly active: number; readonly retained: number } | null;
	readonly at: number;
}

export type Acceptance =
	| {
			readonly kind: "accepted";
			readonly run: Run;
			readonly queuePosition: number;
			readonly events: readonly RunEvent[];
	  }
	/** It was accepted before, by the same call. */
	| { readonly kind: "known"; readonly run: Run; readonly queuePosition: number }
	/** The same key came with another request. */
	| { readonly kind: "conflict"; readonly run: Run }
	/** A limit is reached; `removable` are the oldest that could make room. */
	| {
			readonly kind: "full";
			readonly limit: "active" | "retained";
			readonly count: number;
			readonly removable: readonly Run[];
	  };

/**
 * Limits, session, run, first message and events in one transaction: what is accepted here is never lost, and two spawns
 * at once can't both take the last place.
 */
export function acceptRun(sql: Sql, input: AcceptRun): Acceptance {
	refuseFenced(sql, input.hostId);
	const requesterId = input.requester ? ensureSession(sql, { ...input.requester, parentSessionId: null }) : null;
	const earlier = findEarlier(sql, requesterId, input);
	if (earlier) return earlier;
	const refusal = requesterId === null ? null : checkLimits(sql, requesterId, input.limits);
	if (refusal) return refusal;
	const parentSessionId = input.session.kind === "subagent" ? requesterId : null;
	const sessionId = ensureSession(sql, { ...input.session, parentSessionId });
	insertRun(sql, sessionId, requesterId, input);
	if (input.prompt !== "") {
		const prompt = { turn: 0, kind: "user", toolName: null, toolCallId: null, isError: false } as const;
		appendEntries(sql, { sessionId, runId: input.id, entries: [{ ...prompt, text: input.prompt, at: input.at }] });
	}
	if (input.cause === "spawn" && input.parentRunId !== null) noteSpawn(sql, input.parentRunId, input.at);
	refreshReadiness(sql, sessionId);
	const run = mustGetRun(sql, input.id);
	const queuePosition = positionInLane(sql, run);
	const events = [
		runEvent(run, input.at, { type: "subagent.spawned" }),
		runEvent(run, input.at, { type: "subagent.queued", queuePosition }),
	];
	recordEvents(sql, events);
	return { kind: "accepted", run: withRevision(sql, run), queuePosition, events };
}

function findEarlier(sql: Sql, requesterId: string | null, { retry }: AcceptRun): Acceptance | null {
	if (!retry || requesterId === null) return null;
	const found = sql.get<{ id: string; hash: string }>(
		"SELECT id, request_hash AS hash FROM run WHERE requester_session_id = :requesterId AND retry_key = :key",
		{ requesterId, key: retry.key },
	);
	if (!found) return null;
	const run = mustGetRun(sql, found.id);
	if (found.hash !== retry.hash) return { kind: "conflict", run };
	return { kind: "known", run, queuePosition: positionInLane(sql, run) };
}

function checkLimits(sql: Sql, requesterId: string, limits: AcceptRun["limits"]): Acceptance | null {
	if (!limits) return null;
	const { active, retained } = sql.get<{ active: number; retained: number }>(
		`SELECT count(*) FILTER (WHERE ended_at IS NULL) AS active, count(*) AS retained
			FROM run WHERE requester_session_id = :requesterId AND archived_at IS NULL`,
		{ requesterId },
	) ?? { active: 0, retained: 0 };
	const limit = active >= limits.active ? "active" : retained >= limits.retained ? "retained" : null;
	if (limit === null) return null;
	const removable = selectRuns(
		sql,
		`JOIN announcement ON announcement.run_id = run.id
			WHERE run.requester_session_id = :requesterId AND run.archived_at IS NULL
				AND announcement.settled_at IS NOT NULL ORDER BY run.seq LIMIT 3`,
		{ requesterId },
	);
	return { kind: "full", limit, count: limit === "active" ? active : retained, removable };
}

function insertRun(sql: Sql, sessionId: string, requesterId: string | null, input: AcceptRun): void {
	const { id, hostId, kind, lane, cause, agentId, role, label, task, model, request, announceForm, cleanup } = input;
	const { parentRunId, priority, retry, at } = input;
	sql.run(
		`INSERT INTO run (id, session_id, requester_session_id, parent_run_id, host_id, kind, lane, cause, agent_id, role,
			label, task, model, request, announce_form, cleanup, retry_key, request_hash, state, priority, place, queued_at)
		VALUES (:id, :sessionId, :requesterId, :parentRunId, :hostId, :kind, :lane, :cause, :agentId, :role,
			:label, :task, :model, :request, :announceForm, :cleanup, :retryKey, :requestHash, 'queued', :priority,
			(SELECT coalesce(max(seq), 0) + 1 FROM run), :at)`,
		{
			id,
			sessionId,
			requesterId,
			parentRunId,
			hostId,
			kind,
			lane,
			cause,
			agentId,
			role,
			label,
			task,
			model,
			request: JSON.stringify(request),
			announceForm,
			cleanup,
			retryKey: retry?.key ?? null,
			requestHash: retry?.hash ?? null,
			priority,
			at,
		},
	);
}
