import { expect } from "vitest";
import type { Run } from "../../../../src/core/runs/run.ts";
import { isTerminal } from "../../../../src/core/runs/runState.ts";
import type { Entry } from "../../../../src/core/sessions/entry.ts";
import { operations } from "../../../../src/core/store/operations.ts";
import type { Sql } from "../../../../src/core/store/sql.ts";
import { aRuntimeOnAnyStore } from "../../../fakes/aRuntime.ts";
import { TaskModel } from "../../../fakes/taskModel.ts";
import type { Fact } from "./faultFacts.ts";
import type { Scene } from "./scene.ts";

/**
 * Opens the store after what was done to it, as the next window would, lets everything that is left come to its end, and
 * gives each promise that was not kept, in words.
 */
export async function recover(scene: Scene): Promise<string[]> {
	const { repoFolder, storeFolder } = scene;
	const runtime = await aRuntimeOnAnyStore(new TaskModel(), { repoFolder, storeFolder });
	const sql = scene.open();
	const broken = [...violations(sql, "after opening"), ...ownerless(sql)];
	await runtime.resumeParked();
	await expect.poll(() => unsettled(sql), { timeout: 60_000, interval: 20 }).toBe(0);
	await runtime.close();
	return [
		...broken,
		// By a new connection, as the next window has it: the one that has read before said once that the search index is damaged.
		...violations(scene.open(), "at the end"),
		...forgotten(sql, scene.facts),
		...announcements(sql, scene.facts),
	];
}

function violations(sql: Sql, when: string): string[] {
	const found = operations.verifyStore(sql).violations;
	return found.map(({ invariant, record, detail }) => `${when}: ${invariant}: ${record} ${detail}`);
}

/** Everything that had an owner before has ended by now or waits for somebody to resume it. */
function ownerless(sql: Sql): string[] {
	const live = allRuns(sql).filter(({ state, hold }) => !isTerminal(state) && hold !== "parked");
	return live.map(({ id, state }) => `${id} is ${state} and nobody executes it`);
}

function forgotten(sql: Sql, facts: readonly Fact[]): string[] {
	const runs = new Map(allRuns(sql).map((run) => [run.id, run]));
	return facts.flatMap((fact) => {
		if (fact.kind !== "accepted" && fact.kind !== "ended") return [];
		const run = runs.get(fact.runId);
		if (!run) return [`${fact.runId} was ${fact.kind} and is not there`];
		if (fact.kind === "accepted") return [];
		const { state, summary, error, startedAt, endedAt } = run;
		const now = JSON.stringify({ kind: "ended", runId: run.id, state, summary, error, startedAt, endedAt });
		return now === JSON.stringify(fact) ? [] : [`${JSON.stringify(fact)} became ${now}`];
	});
}

function announcements(sql: Sql, facts: readonly Fact[]): string[] {
	const sessionId = operations.findSession(sql, { key: "agent:main:user" })?.id ?? "";
	const entries = operations.readEntries(sql, { sessionId, after: 0, limit: 100_000 });
	const messages = Map.groupBy(entries, ({ runId }: Entry) => runId);
	const wrong = allRuns(sql).flatMap(({ id, state }) => {
		const count = messages.get(id)?.length ?? 0;
		return count === 1 && isTerminal(state) ? [] : [`${id} is ${state} and announced ${count} times`];
	});
	const told = facts.filter((fact) => fact.kind === "announced");
	const changed = told.filter(({ runId, text }) => messages.get(runId)?.[0]?.text !== text);
	const twice = told.filter(({ runId }, index) => told.findIndex((other) => other.runId === runId) < index);
	return [
		...wrong,
		...changed.map(({ runId }) => `${runId} was announced with another text`),
		...twice.map(({ runId }) => `${runId} was announced to the person twice`),
	];
}

function allRuns(sql: Sql): Run[] {
	return operations.listRuns(sql, { limit: 100_000, withArchived: true });
}

/** How much is still under way. What was never put into the outbox does not count: waiting would not help. */
function unsettled(sql: Sql): number {
	const row = sql.get<{ count: number }>(
		`SELECT (SELECT count(*) FROM run WHERE ended_at IS NULL)
			+ (SELECT count(*) FROM announcement WHERE state = 'pending') AS count`,
	);
	return row?.count ?? 0;
}
