import type { ModelError, ModelPart, ModelUsage } from "../../src/core/models/modelPort.ts";

/** What a request of a fake model is said to have used. */
export const smallUsage: ModelUsage = {
	inputTokens: { total: 1, cacheRead: 0 },
	outputTokens: { total: 1, reasoning: 0 },
	usd: 0,
	isEstimate: false,
};

/** An answer that fails at once. */
export function* aFailure(error: ModelError): Generator<ModelPart> {
	yield { type: "error", error };
	yield { type: "finish", finishReason: "error", usage: smallUsage };
}

/** An answer that is a whole result. */
export function* anAnswer(): Generator<ModelPart> {
	yield { type: "text-delta", id: "1", delta: "Done. SUMMARY: Done." };
	yield { type: "finish", finishReason: "stop", usage: smallUsage };
}
