import path from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import type { Model, ModelPart, ModelUsage } from "../../../../src/core/models/modelPort.ts";
import { openDatabase } from "../../../../src/core/store/openDatabase.ts";
import { operations } from "../../../../src/core/store/operations.ts";
import { aRuntime } from "../../../fakes/aRuntime.ts";
import { ManualClock } from "../../../fakes/manualClock.ts";
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

describe("a provider that wants a long pause", () => {
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
