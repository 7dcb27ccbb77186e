import { describe, expect, it } from "vitest";
import type { Model, ModelPart, ModelRef } from "../../../../src/core/models/modelPort.ts";
import { ModelRegistry } from "../../../../src/core/models/modelRegistry.ts";
import { aRuntime, hasEnded, untilRun } from "../../../fakes/aRuntime.ts";
import { aFailure, anAnswer } from "../../../fakes/modelReplies.ts";

/** Its quota is used up at the first request, when the gate opens, and is there again after it. */
class MeteredModel implements Model {
	readonly label = "Metered";
	readonly gate = Promise.withResolvers<void>();
	requests = 0;
	readonly ref: ModelRef;
	readonly #isUsedUp: boolean;

	constructor(ref: ModelRef, isUsedUp: boolean) {
		this.ref = ref;
		this.#isUsedUp = isUsedUp;
	}

	async *stream(): AsyncGenerator<ModelPart> {
		this.requests++;
		if (this.#isUsedUp && this.requests === 1) {
			await this.gate.promise;
			yield* aFailure({ kind: "quota", message: "Your credit is used up", retryable: false });
			return;
		}
		yield* anAnswer();
	}
}

describe("a model whose quota is used up", () => {
	it("fails one run and parks those that wait for it; others go on, and the parked ones when somebody says so", async () => {
		const large = new MeteredModel("cloud/large", true);
		const small = new MeteredModel("demo/small", false);
		const providers = [large, small].map((model) => {
			const [id = ""] = model.ref.split("/");
			return { id, label: id, model: (name: string) => (`${id}/${name}` === model.ref ? model : undefined) };
		});
		const models = new ModelRegistry(providers, "demo/small");
		const runtime = await aRuntime(small, { models, laneLimit: () => 1 });
		const ids: string[] = [];
		for (const model of ["cloud/large", "cloud/large", "demo/small", "cloud/large"]) {
			const answer = await runtime.spawn({ agent: "scout", task: "Look", model });
			if (!answer.accepted) throw new Error(answer.error);
			ids.push(answer.runId);
		}
		const [failing = "", second = "", other = "", fourth = ""] = ids;
		large.gate.resolve();

		expect(await untilRun(runtime, failing, hasEnded)).toMatchObject({ state: "error", failure: "quota" });
		expect(await untilRun(runtime, other, hasEnded)).toMatchObject({ state: "ok" });
		for (const id of [second, fourth]) expect(runtime.runs.get(id)).toMatchObject({ state: "queued", hold: "parked" });
		const reasons = await runtime.control.explainWaits(runtime.runs.list());
		expect(reasons.get(second)).toBe(
			"parked: the run before it on cloud/large failed: Your credit is used up; resume it to go on",
		);
		expect(large.requests).toBe(1);
		expect((await runtime.transcripts.verify()).violations).toEqual([]);

		await runtime.resumeParked();
		for (const id of [second, fourth]) {
			expect(await untilRun(runtime, id, hasEnded)).toMatchObject({ state: "ok", parkedBecause: null });
		}
		expect((await runtime.transcripts.verify()).violations).toEqual([]);
	});
});
