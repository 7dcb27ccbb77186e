/** What people and other hosts ask of a run. A request is a fact that anybody may write; the run's own host acts on it. */
import type { Run } from "../runs/run.ts";
import { noUsage } from "../runs/run.ts";
import { runEvent, type RunEvent } from "../runs/runEvent.ts";
import { isTerminal } from "../runs/runState.ts";
import { endRun, type Ended } from "./advanceRun.ts";
import { recordEvents } from "./events.ts";
import { refreshReadiness } from "./readiness.ts";
import { mustGetRun, selectRuns, withRevision } from "./runRows.ts";
import type { Sql } from "./sql.ts";

/** A queued run ends at once, wherever it belongs; for one that executes, its host is asked. */
export function requestStop(sql: Sql, input: { readonly runId: string; readonly at: number }): Ended {
	const { runId, at } = input;
	const run = mustGetRun(sql, runId);
	if (isTerminal(run.state)) return { run, isFirst: false, events: [] };
	if (run.state === "queued") {
		return endRun(sql, { runId, state: "canceled", at, usage: noUsage, summary: null, error: null });
	}
	sql.run("UPDATE run SET stop_requested_at = coalesce(stop_requested_at, :at) WHERE id = :runId", { runId, at });
	return { run: mustGetRun(sql, runId), isFirst: false, events: [] };
}

/** A queued run is held at once; one that executes pauses at its next boundary. */
export function requestPause(
	sql: Sql,
	input: { readonly runId: string; readonly at: number },
): { run: Run; events: readonly RunEvent[] } {
	const { runId, at } = input;
	const run = mustGetRun(sql, runId);
	if (isTerminal(run.state) || run.hold !== null) return { run, events: [] };
	if (run.state === "queued") return holdPaused(sql, run, at);
	sql.run("UPDATE run SET pause_requested_at = coalesce(pause_requested_at, :at) WHERE id = :runId", { runId, at });
	return { run: mustGetRun(sql, runId), events: [] };
}

/** At its boundary a run asks whether it is to pause; if so, its slot is free with this answer. */
export function pauseIfAsked(
	sql: Sql,
	input: { readonly runId: string; readonly at: number },
): { run: Run; events: readonly RunEvent[] } | null {
	const asked = sql.get(
		"SELECT 1 FROM run WHERE id = :runId AND state = 'running' AND hold IS NULL AND pause_requested_at IS NOT NULL",
		{ runId: input.runId },
	);
	return asked ? holdPaused(sql, mustGetRun(sql, input.runId), input.at) : null;
}

function holdPaused(sql: Sql, run: Run, at: number): { run: Run; events: readonly RunEvent[] } {
	sql.run("UPDATE run SET hold = 'paused', is_ready = 0, pause_requested_at = NULL WHERE id = :id", { id: run.id });
	refreshReadiness(sql, run.sessionId);
	const paused = mustGetRun(sql, run.id);
	const events = [runEvent(paused, at, { type: "subagent.paused" })];
	recordEvents(sql, events);
	return { run: withRevision(sql, paused), events };
}

/** The runs of a host that somebody wants stopped. */
export function listStopRequests(sql: Sql, input: { readonly hostId: string }): Run[] {
	const rest = "WHERE run.host_id = :hostId AND run.ended_at IS NULL AND run.stop_requested_at IS NOT NULL";
	return selectRuns(sql, rest, { hostId: input.hostId });
}

/** Moves a queued run: to the front or the back of its equals, just before another run, or to another priority. */
export function moveRun(
	sql: Sql,
	input: {
		readonly runId: string;
		readonly to: "front" | "back" | { readonly before: string } | { readonly priority: number };
	},
): Run {
	const { runId, to } = input;
	const run = mustGetRun(sql, runId);
	if (run.state !== "queued") return run;
	const { lane } = run;
	const equals = "SELECT {}(place) AS place FROM run WHERE lane = :lane AND state = 'queued' AND priority = :priority";
	const edge = (which: "min" | "max", priority: number) =>
		sql.get<{ place: number | null }>(equals.replace("{}", which), { lane, priority })?.place ?? run.place;
	let { priority, place } = run;
	if (to === "front") place = edge("min", priority) - 1;
	else if (to === "back") place = edge("max", priority) + 1;
	else if ("priority" in to) ({ priority } = to);
	else {
		const other = mustGetRun(sql, to.before);
		({ priority } = other);
		const previous = sql.get<{ place: number | null }>(
			`SELECT max(place) AS place FROM run WHERE lane = :lane AND state = 'queued' AND priority = :priority
				AND place < :place AND id <> :runId`,
			{ lane, priority, place: other.place, runId },
		)?.place;
		place = ((previous ?? other.place - 2) + other.place) / 2;
	}
	sql.run("UPDATE run SET priority = :priority, place = :place WHERE id = :runId", { runId, priority, place });
	refreshReadiness(sql, run.sessionId);
	return mustGetRun(sql, runId);
}
