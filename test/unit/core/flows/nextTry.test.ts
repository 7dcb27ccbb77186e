import { expect, it } from "vitest";
import type { Model, ModelPart } from "../../../../src/core/models/modelPort.ts";
import { aRuntime, hasEnded, untilRun } from "../../../fakes/aRuntime.ts";
import { aFailure, anAnswer } from "../../../fakes/modelReplies.ts";

/** Fails once in a way that a second try may mend. */
class TiredModel implements Model {
	readonly ref = "demo/tired" as const;
	readonly label = "Tired";
	#requests = 0;

	async *stream(): AsyncGenerator<ModelPart> {
		if (++this.#requests === 1) yield* aFailure({ message: "It is overloaded.", retryable: true });
		else yield* anAnswer();
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
