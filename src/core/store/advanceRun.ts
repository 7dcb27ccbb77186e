import { BugError } from "../base/errors.ts";
import type { Finding } from "../runs/finding.ts";
import type { Run, Usage } from "../runs/run.ts";
import { runEvent, type RunEvent } from "../runs/runEvent.ts";
import { canAdvance, isTerminal, type RunState, type TerminalState } from "../runs/runState.ts";
import { announceNeedless } from "./announcements.ts";
import { recordEvents } from "./events.ts";
import { noteSpent } from "./ledger.ts";
import { insertPlan, type NewPlan } from "./plans.ts";
import { refreshReadiness } from "./readiness.ts";
import { mustGetRun, selectRuns, withRevision } from "./runRows.ts";
import type { Sql } from "./sql.ts";
import { moveTodo } from "./todos.ts";

/** The one place where a run's state changes. What belongs to a state comes and goes with it. */
export function advanceRun(sql: Sql, runId: string, to: RunState, at: number): Run {
	const before = mustGetRun(sql, runId);
	if (!canAdvance(before.state, to)) throw new BugError(`A run cannot go from ${before.state} to ${to}`);
	sql.run(
		`UPDATE run SET state = :to, hold = NULL, parked_because = NULL, is_ready = 0, wants_since = NULL, pause_requested_at = NULL,
			backs_off_since = NULL, returns_since = NULL,
			started_at = CASE WHEN :isStart THEN :at ELSE started_at END,
			ended_at = CASE WHEN :isEnd THEN :at END WHERE id = :runId`,
		{
			runId,
			to,
			at,
			isStart: Number(before.state === "queued" && to === "running"),
			isEnd: Number(isTerminal(to)),
		},
	);
	refreshReadiness(sql, before.sessionId);
	if (isTerminal(to)) moveTodo(sql, before, to === "ok" ? "completed" : "blocked");
	else if (before.state === "queued") moveTodo(sql, before, "in_progress");
	return mustGetRun(sql, runId);
}

export interface EndRun {
	readonly runId: string;
	readonly state: TerminalState;
	readonly at: number;
	readonly usage: Usage;
	readonly turns?: number;
	readonly toolCalls?: number;
	readonly summary: string | null;
	readonly findings?: readonly Finding[];
	readonly error: string | null;
	/** Of its model, where that ended it. */
	readonly failure?: string;
	/** What really answered, when it is known. */
	readonly model?: string;
	/** What a run in plan mode ended with. */
	readonly plan?: NewPlan | null;
}

export interface Ended {
	readonly run: Run;
	/** False when it had ended before: the first end wins, and this one changed nothing. */
	readonly isFirst: boolean;
	/** Those that would have failed for the same reason, and wait for a person instead. */
	readonly parked?: readonly Run[];
	readonly events: readonly RunEvent[];
}

/** The terminal state with all that follows from it, the announcement included, in one transaction. */
export function endRun(sql: Sql, input: EndRun): Ended {
	const before = mustGetRun(sql, input.runId);
	if (isTerminal(before.state)) return { run: before, isFirst: false, events: [] };
	const { runId, state, at, summary, error, failure = null, model = before.model } = input;
	const findings = input.findings ? JSON.stringify(input.findings) : null;
	sql.run(
		`UPDATE run SET summary = :summary, findings = :findings, error = :error, failure = :failure, model = :model
			WHERE id = :runId`,
		{ runId, summary, findings, error, failure, model },
	);
	noteSpent(sql, before, input);
	const run = advanceRun(sql, runId, state, at);
	const parked = failure === "quota" ? parkQueue(sql, before.model, error) : [];
	if (input.plan) insertPlan(sql, run, input.plan, at);
	const events: RunEvent[] = [runEvent(run, at, { type: "subagent.ended", state, usage: run.usage, summary })];
	if (isFailure(state)) events.push(runEvent(run, at, { type: "subagent.failed", state, error }));
	recordEvents(sql, events);
	const announced = announceNeedless(sql, run, at);
	return { run: withRevision(sql, run), isFirst: true, parked, events: [...events, ...announced] };
}

/** What is used up stays so: who waits for that model would fail one after the other. */
function parkQueue(sql: Sql, model: string, error: string | null): Run[] {
	const because = `the run before it on ${model} failed: ${error ?? "its quota is used up"}`;
	const rest =
		"WHERE run.state = 'queued' AND run.hold IS NULL AND run.lane = 'subagent' AND run.model = :model ORDER BY run.seq";
	const waiting = selectRuns(sql, rest, { model });
	for (const { id } of waiting) {
		sql.run("UPDATE run SET hold = 'parked', parked_because = :because, is_ready = 0 WHERE id = :id", { id, because });
	}
	for (const sessionId of new Set(waiting.map((run) => run.sessionId))) refreshReadiness(sql, sessionId);
	return waiting.map(({ id }) => mustGetRun(sql, id));
}

function isFailure(state: RunState): boolean {
	return state === "error" || state === "timeout" || state === "lost";
}

/** It waits for somebody and gives its slot back; `continueRun` brings it back. Null when it has ended meanwhile. */
export function waitRun(
	sql: Sql,
	input: { readonly runId: string; readonly reason: "approval" | "children"; readonly at: number },
): { run: Run; events: readonly RunEvent[] } | null {
	const { runId, reason, at } = input;
	const before = mustGetRun(sql, runId);
	const to = `waiting_${reason}` as const;
	if (isTerminal(before.state)) return null;
	if (before.state === to) return { run: before, events: [] };
	const run = advanceRun(sql, runId, to, at);
	const events = [runEvent(run, at, { type: "subagent.waiting", reason })];
	recordEvents(sql, events);
	return { run: withRevision(sql, run), events };
}

/** What it waited for is there, or its pause is over: it goes on as soon as its lane has room, before all others. */
export function continueRun(sql: Sql, input: { readonly runId: string; readonly at: number }): Run {
	const { runId, at } = input;
	const run = mustGetRun(sql, runId);
	if (run.state === "queued" && run.hold === "paused") {
		sql.run("UPDATE run SET hold = NULL, pause_requested_at = NULL WHERE id = :runId", { runId });
		refreshReadiness(sql, run.sessionId);
	} else {
		sql.run(
			`UPDATE run SET pause_requested_at = NULL, wants_since = CASE WHEN hold = 'paused'
				OR state IN ('waiting_approval', 'waiting_children') THEN coalesce(wants_since, :at) END
				WHERE id = :runId AND ended_at IS NULL`,
			{ runId, at },
		);
	}
	return mustGetRun(sql, runId);
}
