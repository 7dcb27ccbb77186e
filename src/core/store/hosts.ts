import type { Run } from "../runs/run.ts";
import type { RunEvent } from "../runs/runEvent.ts";
import { endRun } from "./advanceRun.ts";
import { refuseFenced } from "./fence.ts";
import { refreshReadiness } from "./readiness.ts";
import { mustGetRun, selectRuns } from "./runRows.ts";
import type { Sql } from "./sql.ts";

export interface NewHost {
	readonly hostId: string;
	readonly pid: number;
	readonly kind: "window" | "cli" | "worker";
	readonly at: number;
}

export interface Host {
	readonly id: string;
	readonly pid: number;
	readonly kind: NewHost["kind"];
	readonly startedAt: number;
}

export function registerHost(sql: Sql, input: NewHost): void {
	const { hostId, pid, kind, at } = input;
	sql.run("INSERT INTO host (id, pid, kind, started_at) VALUES (:hostId, :pid, :kind, :at)", { hostId, pid, kind, at });
}

/** Every host that has not ended, as far as anybody knows. */
export function listHosts(sql: Sql): Host[] {
	return sql.all<Host>("SELECT id, pid, kind, started_at AS startedAt FROM host WHERE fenced_at IS NULL ORDER BY id");
}

/** Whether a host has left this run waiting since then, and has done nothing else either. */
export function isLeftWaiting(
	sql: Sql,
	input: { readonly runId: string; readonly hostId: string; readonly since: number },
): boolean {
	const { runId, hostId, since } = input;
	const found = sql.get(
		`SELECT 1 FROM run WHERE id = :runId AND host_id = :hostId AND state = 'queued' AND hold IS NULL
			AND NOT EXISTS (SELECT 1 FROM run AS other WHERE other.host_id = :hostId AND other.ended_at IS NULL
				AND max(other.queued_at, coalesce(other.started_at, 0)) > :since)`,
		{ runId, hostId, since },
	);
	return found !== undefined;
}

export interface LostHost {
	/** Ended `lost`: they were executing, waiting or paused. */
	readonly lost: readonly Run[];
	/** Not started yet; they wait for someone to resume them. */
	readonly parked: readonly Run[];
	readonly events: readonly RunEvent[];
}

/**
 * What follows from a host's end, once, in one transaction: it is fenced, what it had queued is parked, what it executed
 * ends lost. Parking comes first, else the end of one run would make the next of its session ready.
 */
export function loseHost(sql: Sql, input: { readonly hostId: string; readonly at: number }): LostHost {
	const { hostId, at } = input;
	const isFirst = sql.run("UPDATE host SET fenced_at = :at WHERE id = :hostId AND fenced_at IS NULL", { hostId, at });
	const live = selectRuns(sql, "WHERE run.host_id = :hostId AND run.ended_at IS NULL ORDER BY run.seq", { hostId });
	if (isFirst === 0 && live.every(({ hold }) => hold === "parked")) return { lost: [], parked: [], events: [] };
	const queued = live.filter(({ state, hold }) => state === "queued" && hold !== "parked");
	for (const { id } of queued) sql.run("UPDATE run SET hold = 'parked', is_ready = 0 WHERE id = :id", { id });
	const error = "The process that executed it ended. What it had done until then is in its transcript.";
	const ended = live
		.filter(({ state }) => state !== "queued")
		.map(({ id, usage }) => endRun(sql, { runId: id, state: "lost", at, usage, summary: null, error }));
	for (const sessionId of new Set(queued.map((run) => run.sessionId))) refreshReadiness(sql, sessionId);
	return {
		lost: ended.map(({ run }) => run),
		parked: queued.map(({ id }) => mustGetRun(sql, id)),
		events: ended.flatMap(({ events }) => events),
	};
}

/** A host's own, orderly end. */
export function endHost(sql: Sql, input: { readonly hostId: string; readonly at: number }): void {
	loseHost(sql, input);
}

/** Takes parked runs over to this host and puts them back into their lanes: all, or the one that is named. */
export function unparkRuns(sql: Sql, input: { readonly hostId: string; readonly runId?: string }): Run[] {
	const { hostId, runId = null } = input;
	refuseFenced(sql, hostId);
	const rest =
		"WHERE run.hold = 'parked' AND run.ended_at IS NULL AND (:runId IS NULL OR run.id = :runId) ORDER BY run.seq";
	const parked = selectRuns(sql, rest, { runId });
	for (const { id } of parked)
		sql.run("UPDATE run SET hold = NULL, parked_because = NULL, host_id = :hostId WHERE id = :id", { id, hostId });
	for (const sessionId of new Set(parked.map((run) => run.sessionId))) refreshReadiness(sql, sessionId);
	return parked.map(({ id }) => mustGetRun(sql, id));
}
