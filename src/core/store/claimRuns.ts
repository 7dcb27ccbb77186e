import type { Lane, Run } from "../runs/run.ts";
import { runEvent, type RunEvent } from "../runs/runEvent.ts";
import { advanceRun } from "./advanceRun.ts";
import { recordEvents } from "./events.ts";
import { readQueueFacts, type QueueFacts } from "./lanes.ts";
import { mustGetRun, withRevision } from "./runRows.ts";
import type { Sql } from "./sql.ts";

export interface ClaimRuns {
	readonly hostId: string;
	/** Live hosts that did not take what was theirs in time: their runs keep their place and hold nobody up. */
	readonly passOver: readonly string[];
	readonly at: number;
}

export interface Claim {
	/** Start now. */
	readonly started: readonly Run[];
	/** Go on now: they had waited, for their provider too, or were paused. */
	readonly resumed: readonly Run[];
	/** Other hosts' runs for which a slot is kept free. */
	readonly reserved: readonly { readonly runId: string; readonly hostId: string }[];
	/** When a provider's pause ends that kept a run of this host back. */
	readonly lookAgainAt: number | null;
	readonly events: readonly RunEvent[];
}

interface Candidate {
	readonly id: string;
	readonly hostId: string;
	readonly role: string | null;
	readonly model: string;
}

/**
 * The only way a run starts: who is next, whether there is room, and the start are one transaction, so caps and order
 * hold over all hosts. A host takes only its own runs; before it takes one, every earlier run that is free to start has
 * its slot, taken or kept free.
 */
export function claimRuns(sql: Sql, input: ClaimRuns): Claim {
	const facts = readQueueFacts(sql, { at: input.at });
	const taking = facts.lanes.filter(({ isPaused }) => !isPaused).map((lane) => chooseRuns(sql, lane, facts, input));
	const started = taking.flatMap(({ mine }) => mine.queued).map((id) => advanceRun(sql, id, "running", input.at));
	const returning = taking.flatMap(({ mine }) => mine.returning);
	// Nobody was told that it waited for its provider: it has been running all the time.
	const told = new Set(returning.filter((id) => !backsOff(sql, id)));
	const resumed = returning.map((id) => resume(sql, id, input.at));
	const events = [
		...started.map((run) => runEvent(run, input.at, { type: "subagent.started", model: run.model })),
		...resumed.filter(({ id }) => told.has(id)).map((run) => runEvent(run, input.at, { type: "subagent.resumed" })),
	];
	recordEvents(sql, events);
	const times = taking.flatMap(({ lookAgainAt }) => lookAgainAt);
	return {
		started: started.map((run) => withRevision(sql, run)),
		resumed: resumed.map((run) => withRevision(sql, run)),
		reserved: taking.flatMap(({ reserved }) => reserved),
		lookAgainAt: times.length > 0 ? Math.min(...times) : null,
		events,
	};
}

/** Collects before anything is updated: an update would move the index under the iteration. */
function chooseRuns(
	sql: Sql,
	lane: { readonly name: Lane; readonly cap: number; readonly taken: number },
	facts: QueueFacts,
	{ hostId, passOver }: ClaimRuns,
) {
	const mine = { queued: [] as string[], returning: [] as string[] };
	const reserved: { runId: string; hostId: string }[] = [];
	const lookAgainAt: number[] = [];
	let free = lane.cap - lane.taken;
	const take = (run: Candidate, list: string[]) => {
		if (passOver.includes(run.hostId)) return;
		free--;
		if (run.hostId === hostId) list.push(run.id);
		else reserved.push({ runId: run.id, hostId: run.hostId });
	};
	if (free > 0) {
		for (const run of sql.iterate<Candidate>(returningRuns, { lane: lane.name })) {
			take(run, mine.returning);
			if (free === 0) break;
		}
	}
	if (free > 0) {
		const room = new Map(facts.roles.map(({ role, cap, taken }) => [role, cap - taken]));
		for (const run of sql.iterate<Candidate>(readyRuns, { lane: lane.name })) {
			const roleRoom = run.role === null ? undefined : room.get(run.role);
			if (roleRoom !== undefined && roleRoom <= 0) continue;
			const pause = facts.providers.find(({ provider }) => run.model.startsWith(`${provider}/`));
			if (pause) {
				if (run.hostId === hostId) lookAgainAt.push(pause.until);
				continue;
			}
			if (run.role !== null && roleRoom !== undefined) room.set(run.role, roleRoom - 1);
			take(run, mine.queued);
			if (free === 0) break;
		}
	}
	return { mine, reserved, lookAgainAt };
}

const candidate = "id, host_id AS hostId, role, model";
const returningRuns = `SELECT ${candidate} FROM (
	SELECT *, wants_since AS since FROM run WHERE lane = :lane AND wants_since IS NOT NULL UNION ALL
	SELECT *, returns_since AS since FROM run WHERE lane = :lane AND returns_since IS NOT NULL) ORDER BY since, seq`;
const readyRuns = `SELECT ${candidate} FROM run WHERE lane = :lane AND is_ready = 1 ORDER BY priority DESC, place`;

function backsOff(sql: Sql, id: string): boolean {
	return sql.get("SELECT 1 FROM run WHERE id = :id AND backs_off_since IS NOT NULL", { id }) !== undefined;
}

function resume(sql: Sql, id: string, at: number): Run {
	const run = mustGetRun(sql, id);
	if (run.state !== "running") return advanceRun(sql, id, "running", at);
	sql.run(
		"UPDATE run SET hold = NULL, wants_since = NULL, backs_off_since = NULL, returns_since = NULL WHERE id = :id",
		{ id },
	);
	return mustGetRun(sql, id);
}
