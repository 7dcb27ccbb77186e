import type { Lane, Run } from "../runs/run.ts";
import type { Sql } from "./sql.ts";

export interface LaneFacts {
	readonly name: Lane;
	readonly cap: number;
	readonly isPaused: boolean;
	/** How many execute now. */
	readonly taken: number;
}

export interface QueueFacts {
	readonly lanes: readonly LaneFacts[];
	readonly roles: readonly { readonly role: string; readonly cap: number; readonly taken: number }[];
	readonly providers: readonly { readonly provider: string; readonly until: number; readonly reason: string }[];
}

/** Everything that decides about who may start, beside the runs themselves. */
export function readQueueFacts(sql: Sql, input: { readonly at: number }): QueueFacts {
	const lanes = sql.all<Omit<LaneFacts, "isPaused"> & { isPaused: number }>(
		`SELECT name, cap, is_paused AS isPaused,
			(SELECT count(*) FROM run WHERE run.lane = lane.name AND state = 'running' AND hold IS NULL
				AND backs_off_since IS NULL) AS taken
			FROM lane ORDER BY name`,
	);
	const roles = sql.all<QueueFacts["roles"][number]>(
		`SELECT role, cap, (SELECT count(*) FROM run WHERE run.lane IN ('main', 'subagent') AND run.role = role_cap.role
			AND state = 'running' AND hold IS NULL AND backs_off_since IS NULL) AS taken FROM role_cap ORDER BY role`,
	);
	const providers = sql.all<QueueFacts["providers"][number]>(
		"SELECT provider, until, reason FROM provider_pause WHERE until > :at",
		{ at: input.at },
	);
	return { lanes: lanes.map((lane) => ({ ...lane, isPaused: lane.isPaused === 1 })), roles, providers };
}

/** A window writes its setting when it opens and when it changes; every claim reads the row. */
export function setLaneCap(sql: Sql, input: { readonly lane: Lane; readonly cap: number; readonly at: number }): void {
	const { lane, cap, at } = input;
	if (sql.run("UPDATE lane SET cap = :cap WHERE name = :lane AND cap <> :cap", { lane, cap }) === 0) return;
	sql.run("INSERT INTO lane_change (lane, cap, at) VALUES (:lane, :cap, :at)", { lane, cap, at });
}

/** A paused lane starts nothing; what executes goes on. */
export function pauseLane(sql: Sql, input: { readonly lane: Lane; readonly isPaused: boolean }): void {
	const { lane, isPaused } = input;
	sql.run("UPDATE lane SET is_paused = :isPaused WHERE name = :lane", { lane, isPaused: Number(isPaused) });
}

/** Replaces all of them. */
export function setRoleCaps(sql: Sql, input: { readonly caps: Readonly<Record<string, number>> }): void {
	sql.exec("DELETE FROM role_cap");
	for (const [role, cap] of Object.entries(input.caps)) {
		sql.run("INSERT INTO role_cap (role, cap) VALUES (:role, :cap)", { role, cap });
	}
}

/** No run of this provider starts before `until`, and none that is at work asks it; a longer pause that is there already holds. */
export function pauseProvider(
	sql: Sql,
	input: { readonly provider: string; readonly until: number; readonly reason: string },
): void {
	const { provider, until, reason } = input;
	sql.run(
		`INSERT INTO provider_pause (provider, until, reason) VALUES (:provider, :until, :reason)
			ON CONFLICT (provider) DO UPDATE SET until = max(until, excluded.until), reason = excluded.reason`,
		{ provider, until, reason },
	);
}

/** The pause that a provider is to be given by everybody; null when there is none now. */
export function readProviderPause(
	sql: Sql,
	input: { readonly provider: string; readonly at: number },
): { readonly until: number; readonly reason: string } | null {
	const { provider, at } = input;
	const row = sql.get<{ until: number; reason: string }>(
		"SELECT until, reason FROM provider_pause WHERE provider = :provider AND until > :at",
		{ provider, at },
	);
	return row ?? null;
}

/** Farther back than this, the exact place is of no use to anyone, and counting on would cost. */
const farthestPosition = 1_000;

/** 1-based, among those that would start before it. */
export function positionInLane(sql: Sql, run: Pick<Run, "lane" | "priority" | "place">): number {
	const { lane, priority, place } = run;
	const row = sql.get<{ count: number }>(
		`SELECT count(*) AS count FROM (SELECT 1 FROM run WHERE lane = :lane AND state = 'queued' AND hold IS NULL
			AND (priority > :priority OR (priority = :priority AND place <= :place)) LIMIT ${farthestPosition})`,
		{ lane, priority, place },
	);
	return row?.count ?? 0;
}
