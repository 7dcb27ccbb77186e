import { expect, it } from "vitest";
import type { Model, ModelPart } from "../../../../src/core/models/modelPort.ts";
import { aRuntime, hasEnded, untilRun } from "../../../fakes/aRuntime.ts";

const usage = {
	inputTokens: { total: 1, cacheRead: 0 },
	outputTokens: { total: 1, reasoning: 0 },
	usd: 0,
	isEstimate: false,
};

/** Fails once in a way that a second try may mend. */
class TiredModel implements Model {
	readonly ref = "demo/tired" as const;
	readonly label = "Tired";
	#requests = 0;

	async *stream(): AsyncGenerator<ModelPart> {
		const isFirst = ++this.#requests === 1;
		if (isFirst) yield { type: "error", error: { message: "It is overloaded.", retryable: true } };
		else yield { type: "text-delta", id: "1", delta: "SUMMARY: Done." };
		yield { type: "finish", finishReason: isFirst ? "error" : "stop", usage };
	}
}

it("a run that waits to ask its model again says when and why, until it has asked", async () => {
	const runtime = await aRuntime(new TiredModel());
	const answer = await runtime.spawn({ agent: "scout", task: "Look" });
	if (!answer.accepted) throw new Error(answer.error);
	const before = Date.now();
	const waiting = await untilRun(runtime, answer.runId, ({ nextTry }) => (nextTry ?? null) !== null);
	expect(waiting.nextTry?.reason).toBe("It is overloaded.");
	// One second, a fifth more or less, from some moment since it was spawned.
	const left = (waiting.nextTry?.at ?? 0) - before;
	expect(left).toBeGreaterThanOrEqual(800);
	expect(left).toBeLessThanOrEqual(1_200 + (Date.now() - before));
	expect(await untilRun(runtime, answer.runId, hasEnded)).toMatchObject({ state: "ok", nextTry: null });
});
