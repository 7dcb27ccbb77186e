import path from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import type { Model, ModelPart, ModelRequest } from "../../../../src/core/models/modelPort.ts";
import { openDatabase } from "../../../../src/core/store/openDatabase.ts";
import { operations } from "../../../../src/core/store/operations.ts";
import { aRuntime, hasEnded, untilRun } from "../../../fakes/aRuntime.ts";
import { ManualClock } from "../../../fakes/manualClock.ts";
import { aFailure, anAnswer, smallUsage } from "../../../fakes/modelReplies.ts";
import { aCall } from "../../../fakes/scriptedModel.ts";
import { temporaryFolder } from "../../../fakes/temporaryFolder.ts";

/** Refuses its first request as a server does that has had too many, and answers all others. */
class BusyModel implements Model {
	readonly ref = "demo/busy" as const;
	readonly label = "Busy";
	requests = 0;

	async *stream(): AsyncGenerator<ModelPart> {
		this.requests++;
		if (this.requests === 1) {
			yield* aFailure({ kind: "rate-limit", message: "Too many", retryable: true, retryAfterMs: 20_000 });
			return;
		}
		yield* anAnswer();
	}
}

/** Refuses the task `Busy` once, for 40 minutes; lets the task `Work` read a file first, and answers that when the gate opens. */
class HalfBusyModel implements Model {
	readonly ref = "demo/half" as const;
	readonly label = "Half";
	readonly tasks: string[] = [];
	readonly gate = Promise.withResolvers<void>();

	async *stream({ messages }: ModelRequest): AsyncGenerator<ModelPart> {
		const [first] = messages;
		const task = first && "text" in first ? first.text : "";
		this.tasks.push(task);
		if (task === "Busy" && this.tasks.filter((each) => each === task).length === 1) {
			yield* aFailure({ kind: "rate-limit", message: "Too many", retryable: true, retryAfterMs: 2_400_000 });
			return;
		}
		if (task === "Work" && messages.length === 1) {
			await this.gate.promise;
			yield { type: "tool-call", ...aCall("read_file", { path: "notes.txt" }) };
			yield { type: "finish", finishReason: "tool-calls", usage: smallUsage };
			return;
		}
		yield* anAnswer();
	}
}

/** Fails as long as it is down, and not before the gate opens. */
class DownModel implements Model {
	readonly ref = "demo/down" as const;
	readonly label = "Down";
	readonly gate = Promise.withResolvers<void>();
	isDown = true;
	requests = 0;

	async *stream(): AsyncGenerator<ModelPart> {
		this.requests++;
		await this.gate.promise;
		if (this.isDown) yield* aFailure({ kind: "overload", message: "Down", retryable: true, statusCode: 503 });
		else yield* anAnswer();
	}
}

async function whileDown() {
	const storeFolder = path.join(temporaryFolder(), "store");
	const clock = new ManualClock();
	const model = new DownModel();
	const runtime = await aRuntime(model, { storeFolder, clock });
	const spawn = async () => {
		const answer = await runtime.spawn({ agent: "scout", task: "Look", runTimeoutSeconds: 0 });
		if (!answer.accepted) throw new Error(answer.error);
		return answer.runId;
	};
	const { sql } = openDatabase(storeFolder);
	onTestFinished(() => sql.close());
	const pauseLeft = () => {
		const pause = operations.readProviderPause(sql, { provider: "demo", at: clock.now() });
		return pause ? pause.until - clock.now() : 0;
	};
	const statesAfter = (ms: number, ids: readonly string[]) => () => {
		clock.advance(ms);
		return ids.map((id) => runtime.runs.get(id)?.state);
	};
	return { clock, model, runtime, spawn, pauseLeft, statesAfter };
}

describe("a provider that is down", () => {
	it("is left alone by others also after the last try of a run", async () => {
		const { clock, model, runtime, spawn, pauseLeft, statesAfter } = await whileDown();
		const first = await spawn();
		model.gate.resolve();
		const asked = () => {
			if (model.requests < 6) clock.advance(20_000);
			return model.requests;
		};
		await expect.poll(asked).toBe(6);
		expect(await untilRun(runtime, first, hasEnded)).toMatchObject({ state: "error", error: "Down" });
		// About as long as it would have waited itself.
		expect(pauseLeft()).toBeGreaterThan(20_000);
		model.isDown = false;
		const second = await spawn();
		expect([runtime.runs.get(second)?.state, model.requests]).toEqual(["queued", 6]);
		await expect.poll(statesAfter(20_000, [second])).toEqual(["ok"]);
	});

	it("is left alone for a minute after ten failures, then tried by one run, and asked by all when it is back", async () => {
		const { clock, model, spawn, pauseLeft, statesAfter } = await whileDown();
		const ids: string[] = [];
		for (let each = 0; each < 5; each++) ids.push(await spawn());
		await expect.poll(() => model.requests).toBe(5);
		model.gate.resolve();
		const failed = () => {
			if (pauseLeft() < 10_000) clock.advance(2_000);
			return [model.requests, pauseLeft() > 10_000];
		};
		await expect.poll(failed).toEqual([10, true]);
		expect(pauseLeft()).toBeGreaterThan(50_000);
		// Nobody can see from outside when all have begun to wait; time stands still once somebody asks.
		const tried = () => {
			if (model.requests === 10) clock.advance(20_000);
			return model.requests;
		};
		await expect.poll(tried).toBe(11);
		// It is as it was, so all others have to wait for another minute.
		await expect.poll(pauseLeft).toBe(60_000);
		expect(model.requests).toBe(11);
		model.isDown = false;
		await expect.poll(statesAfter(20_000, ids)).toEqual(ids.map(() => "ok"));
		expect(model.requests).toBe(16);
	});
});

describe("a provider that wants a long pause", () => {
	it("gets it from a run at work too, whose model is not silent meanwhile and which goes on afterwards", async () => {
		const storeFolder = path.join(temporaryFolder(), "store");
		const clock = new ManualClock();
		const model = new HalfBusyModel();
		const runtime = await aRuntime(model, { storeFolder, clock });
		const spawn = async (task: string) => {
			const answer = await runtime.spawn({ agent: "scout", task, runTimeoutSeconds: 0 });
			if (!answer.accepted) throw new Error(answer.error);
			return answer.runId;
		};
		const atWork = await spawn("Work");
		await expect.poll(() => model.tasks).toEqual(["Work"]);
		const busy = await spawn("Busy");
		const { sql } = openDatabase(storeFolder);
		onTestFinished(() => sql.close());
		await expect.poll(() => operations.readQueueFacts(sql, { at: clock.now() }).providers).toHaveLength(1);
		model.gate.resolve();
		await expect.poll(() => runtime.runs.get(atWork)?.activity).toBe("waits until 00:40:00 UTC: Too many");
		// Others may have the slots of both meanwhile.
		const lanes = () => operations.readQueueFacts(sql, { at: clock.now() }).lanes;
		await expect.poll(() => lanes().map(({ taken }) => taken)).toEqual([0, 0]);
		// Longer than a model may take to begin its answer.
		clock.advance(2_000_000);
		expect(model.tasks).toEqual(["Work", "Busy"]);
		const states = () => {
			clock.advance(400_000);
			return [atWork, busy].map((id) => runtime.runs.get(id)?.state);
		};
		await expect.poll(states).toEqual(["ok", "ok"]);
		expect(model.tasks.toSorted()).toEqual(["Busy", "Busy", "Work", "Work"]);
	});

	it("gets it from every run: none starts before, and all go on afterwards", async () => {
		const storeFolder = path.join(temporaryFolder(), "store");
		const clock = new ManualClock();
		const model = new BusyModel();
		const runtime = await aRuntime(model, { storeFolder, clock });
		const spawn = async () => {
			const answer = await runtime.spawn({ agent: "scout", task: "Look" });
			if (!answer.accepted) throw new Error(answer.error);
			return answer.runId;
		};
		const first = await spawn();
		const { sql } = openDatabase(storeFolder);
		onTestFinished(() => sql.close());
		await expect
			.poll(() => operations.readQueueFacts(sql, { at: clock.now() }).providers)
			.toEqual([{ provider: "demo", until: 20_000, reason: "Too many" }]);

		const second = await spawn();
		const hostId = runtime.runs.get(second)?.hostId ?? "";
		const claim = operations.claimRuns(sql, { hostId, passOver: [], at: clock.now() });
		expect(claim).toMatchObject({ started: [], lookAgainAt: 20_000 });
		expect(runtime.runs.get(second)).toMatchObject({ state: "queued" });
		expect(model.requests).toBe(1);

		// Time goes on until both have: nobody can see from outside when a run has begun to wait.
		const states = () => {
			clock.advance(5_000);
			return [first, second].map((id) => runtime.runs.get(id)?.state);
		};
		await expect.poll(states).toEqual(["ok", "ok"]);
		expect(model.requests).toBe(3);
	});
});
