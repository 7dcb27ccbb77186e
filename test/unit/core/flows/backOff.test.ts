/** A run that waits before it asks its model again: others have its slot meanwhile, its own time counts on. */
import path from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import type { Model, ModelError, ModelPart, ModelRef, ModelRequest } from "../../../../src/core/models/modelPort.ts";
import { ModelRegistry } from "../../../../src/core/models/modelRegistry.ts";
import type { Runtime } from "../../../../src/core/runtime.ts";
import { openDatabase } from "../../../../src/core/store/openDatabase.ts";
import { operations } from "../../../../src/core/store/operations.ts";
import { aRuntime, hasEnded, untilRun } from "../../../fakes/aRuntime.ts";
import { accept, aStore, claim, end, setCap } from "../../../fakes/aStore.ts";
import { ManualClock } from "../../../fakes/manualClock.ts";
import { aFailure, anAnswer } from "../../../fakes/modelReplies.ts";
import { temporaryFolder } from "../../../fakes/temporaryFolder.ts";

const cut: ModelError = { kind: "network", message: "It was cut.", retryable: true };
const busy: ModelError = { kind: "rate-limit", message: "Too many", retryable: true, retryAfterMs: 20_000 };

/** Fails the task `Fail` so often, answers `Hold` when the gate opens, and everything else at once. */
class FailingModel implements Model {
	readonly ref: ModelRef;
	readonly label = "Failing";
	readonly asked: string[];
	readonly gate = Promise.withResolvers<void>();
	readonly #error: ModelError;
	#failures: number;

	constructor(failures: number, error: ModelError, ref: ModelRef, asked: string[]) {
		this.#failures = failures;
		this.#error = error;
		this.ref = ref;
		this.asked = asked;
	}

	async *stream({ messages }: ModelRequest): AsyncGenerator<ModelPart> {
		const [first] = messages;
		const task = first && "text" in first ? first.text : "";
		this.asked.push(task);
		if (task === "Fail" && this.#failures-- > 0) {
			yield* aFailure(this.#error);
			return;
		}
		if (task === "Hold") await this.gate.promise;
		yield* anAnswer();
	}
}

/** One slot, and two providers: the pause that the one wants holds nobody up who asks the other. */
async function withOneSlot(error: ModelError) {
	const storeFolder = path.join(temporaryFolder(), "store");
	const clock = new ManualClock();
	const asked: string[] = [];
	const failing = new FailingModel(1, error, "cloud/large", asked);
	const other = new FailingModel(0, error, "demo/small", asked);
	const providers = [failing, other].map((model) => {
		const [id = ""] = model.ref.split("/");
		return { id, label: id, model: (name: string) => (`${id}/${name}` === model.ref ? model : undefined) };
	});
	const models = new ModelRegistry(providers, "demo/small");
	const runtime = await aRuntime(other, { storeFolder, clock, laneLimit: () => 1, models });
	const { sql } = openDatabase(storeFolder);
	onTestFinished(() => sql.close());
	const taken = () =>
		operations.readQueueFacts(sql, { at: clock.now() }).lanes.find(({ name }) => name === "subagent")?.taken;
	return { runtime, clock, taken, asked, openGate: () => other.gate.resolve() };
}

async function spawn(runtime: Runtime, task: string, more: object = {}): Promise<string> {
	const answer = await runtime.spawn({ agent: "scout", task, runTimeoutSeconds: 0, ...more });
	if (!answer.accepted) throw new Error(answer.error);
	return answer.runId;
}

/** The run `Fail` after its failure, 20 seconds before it asks again. */
async function waitingLong(more: object = {}) {
	const made = await withOneSlot(busy);
	const runId = await spawn(made.runtime, "Fail", { model: "cloud/large", ...more });
	await expect.poll(() => [made.asked.length, made.taken()]).toEqual([1, 0]);
	return { ...made, runId };
}

/** Time goes on until it wants its slot back: nobody can see from outside when a run has begun to wait. */
async function untilReturning(runtime: Runtime, runId: string, clock: ManualClock): Promise<void> {
	const activity = () => {
		clock.advance(5_000);
		return runtime.runs.get(runId)?.activity;
	};
	await expect.poll(activity).toBe("waits for room in its lane");
}

describe("a run that waits longer than five seconds for its next try", () => {
	it("lets another have the only slot, comes back before all others, and goes on", async () => {
		const { asked, openGate, runtime, clock, taken, runId } = await waitingLong();
		expect(runtime.runs.get(runId)).toMatchObject({
			state: "running",
			activity: "asks again at 00:00:20 UTC: Too many",
			nextTry: { at: 20_000, reason: "Too many" },
		});
		const holder = await spawn(runtime, "Hold");
		const third = await spawn(runtime, "Third");
		await expect.poll(() => asked.at(-1)).toBe("Hold");
		await untilReturning(runtime, runId, clock);
		expect([taken(), runtime.runs.get(third)?.state]).toEqual([1, "queued"]);
		openGate();
		for (const id of [holder, runId, third]) {
			expect(await untilRun(runtime, id, hasEnded)).toMatchObject({ state: "ok" });
		}
		expect(asked).toEqual(["Fail", "Hold", "Fail", "Third"]);
	});

	it("keeps its slot when it waits for less", async () => {
		const { runtime, clock, taken, asked } = await withOneSlot(cut);
		const runId = await spawn(runtime, "Fail", { model: "cloud/large" });
		const second = await spawn(runtime, "Second");
		await untilRun(runtime, runId, ({ nextTry }) => (nextTry ?? null) !== null);
		expect([taken(), runtime.runs.get(second)?.state]).toEqual([1, "queued"]);
		const states = () => {
			clock.advance(500);
			return [runId, second].map((id) => runtime.runs.get(id)?.state);
		};
		await expect.poll(states).toEqual(["ok", "ok"]);
		expect(asked).toEqual(["Fail", "Fail", "Second"]);
	});

	it("reaches its time limit while it waits for its next try", async () => {
		const { runtime, clock, runId, asked } = await waitingLong({ runTimeoutSeconds: 10 });
		clock.advance(10_000);
		expect(await untilRun(runtime, runId, hasEnded)).toMatchObject({
			state: "timeout",
			error: "It reached its time limit.",
		});
		expect(asked).toEqual(["Fail"]);
	});

	it("reaches its time limit while it waits for its slot", async () => {
		const { asked, openGate, runtime, clock, runId } = await waitingLong({ runTimeoutSeconds: 600 });
		const holder = await spawn(runtime, "Hold");
		await expect.poll(() => asked.at(-1)).toBe("Hold");
		await untilReturning(runtime, runId, clock);
		clock.advance(600_000);
		expect(await untilRun(runtime, runId, hasEnded)).toMatchObject({ state: "timeout" });
		openGate();
		expect(await untilRun(runtime, holder, hasEnded)).toMatchObject({ state: "ok" });
	});

	it("is stopped like any other", async () => {
		const { asked, runtime, runId } = await waitingLong();
		await runtime.stop(runId);
		expect(await untilRun(runtime, runId, hasEnded)).toMatchObject({ state: "canceled" });
		const next = await spawn(runtime, "Next");
		expect(await untilRun(runtime, next, hasEnded)).toMatchObject({ state: "ok" });
		expect(asked).toEqual(["Fail", "Next"]);
	});

	it("pauses at its next boundary when somebody asks for that meanwhile", async () => {
		const { runtime, clock, runId, asked } = await waitingLong();
		await runtime.control.pause(runId);
		expect(runtime.runs.get(runId)).toMatchObject({ state: "running", hold: null });
		const holds = () => {
			clock.advance(20_000);
			return runtime.runs.get(runId)?.hold;
		};
		// It has answered then; there is a boundary before the end.
		await expect.poll(holds).toBe("paused");
		expect(asked).toEqual(["Fail", "Fail"]);
		await runtime.control.continue(runId);
		expect(await untilRun(runtime, runId, hasEnded)).toMatchObject({ state: "ok" });
	});
});

describe("in the store, a run that backs off", () => {
	it("takes no slot and no place of its role, returns before all others, and leaves its session busy", () => {
		const sql = aStore();
		setCap(sql, 1);
		operations.setRoleCaps(sql, { caps: { backend: 1 } });
		const first = accept(sql, "run_a", { role: "backend" });
		claim(sql);
		expect(operations.beginBackOff(sql, { runId: "run_a", at: 3 })).toMatchObject({ state: "running", hold: null });
		accept(sql, "run_b", { role: "backend", priority: 9 });
		accept(sql, "run_c", { priority: 9 });
		const { sessionId: id, sessionKey: key } = first;
		accept(sql, "run_d", { session: { id, key, kind: "subagent", agentId: "scout", depth: 1, createdAt: 1 } });
		expect(claim(sql)).toEqual(["run_b"]);
		operations.endBackOff(sql, { runId: "run_a", at: 4 });
		expect(operations.claimRuns(sql, { hostId: "hst_1", passOver: [], at: 5 }).resumed).toEqual([]);
		end(sql, "run_b");
		const next = operations.claimRuns(sql, { hostId: "hst_1", passOver: [], at: 6 });
		expect([next.started, next.resumed.map((run) => run.id), next.events]).toEqual([[], ["run_a"], []]);
		expect(() => sql.exec("UPDATE run SET state = 'running', started_at = 7 WHERE id = 'run_c'")).toThrow("full");
		expect(operations.verifyStore(sql).violations).toEqual([]);
	});

	it("that has ended neither begins nor ends one", () => {
		const sql = aStore();
		accept(sql, "run_a");
		claim(sql);
		operations.beginBackOff(sql, { runId: "run_a", at: 3 });
		expect(operations.beginBackOff(sql, { runId: "run_a", at: 3 })).toBeNull();
		end(sql, "run_a");
		expect(operations.beginBackOff(sql, { runId: "run_a", at: 10 })).toBeNull();
		expect(operations.endBackOff(sql, { runId: "run_a", at: 10 })).toBeNull();
		expect(operations.verifyStore(sql).violations).toEqual([]);
	});
});
