import path from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import type { Model, ModelPart, ModelRequest, ModelUsage } from "../../../../src/core/models/modelPort.ts";
import { openDatabase } from "../../../../src/core/store/openDatabase.ts";
import { operations } from "../../../../src/core/store/operations.ts";
import { aRuntime } from "../../../fakes/aRuntime.ts";
import { ManualClock } from "../../../fakes/manualClock.ts";
import { aCall } from "../../../fakes/scriptedModel.ts";
import { temporaryFolder } from "../../../fakes/temporaryFolder.ts";

const usage: ModelUsage = {
	inputTokens: { total: 1, cacheRead: 0 },
	outputTokens: { total: 1, reasoning: 0 },
	usd: 0,
	isEstimate: false,
};

/** Refuses its first request as a server does that has had too many, and answers all others. */
class BusyModel implements Model {
	readonly ref = "demo/busy" as const;
	readonly label = "Busy";
	requests = 0;

	async *stream(): AsyncGenerator<ModelPart> {
		this.requests++;
		if (this.requests === 1) {
			const error = { kind: "rate-limit", message: "Too many", retryable: true, retryAfterMs: 20_000 } as const;
			yield { type: "error", error };
			yield { type: "finish", finishReason: "error", usage };
			return;
		}
		yield { type: "text-delta", id: "1", delta: "Done. SUMMARY: Done." };
		yield { type: "finish", finishReason: "stop", usage };
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
			const error = { kind: "rate-limit", message: "Too many", retryable: true, retryAfterMs: 2_400_000 } as const;
			yield { type: "error", error };
			yield { type: "finish", finishReason: "error", usage };
			return;
		}
		if (task === "Work" && messages.length === 1) {
			await this.gate.promise;
			yield { type: "tool-call", ...aCall("read_file", { path: "notes.txt" }) };
			yield { type: "finish", finishReason: "tool-calls", usage };
			return;
		}
		yield { type: "text-delta", id: "1", delta: "Done. SUMMARY: Done." };
		yield { type: "finish", finishReason: "stop", usage };
	}
}

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
