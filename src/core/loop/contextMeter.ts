import { type ModelMessage, type ModelUsage, usualContextWindow } from "../models/modelPort.ts";
import type { LoopInput } from "./agentLoop.ts";

const charactersPerToken = 4;
/** The rest is for the answer, and for what an estimate is wrong by. */
const fullShare = 0.8;

/** How much of a model's window a conversation fills: as the provider counted it last, and what came since by length. */
export class ContextMeter {
	#counted: { readonly tokens: number; readonly messages: number } | undefined;

	/** The answer to the first so many messages. What is no count of the provider's is no better than ours. */
	note({ inputTokens, outputTokens, isEstimate }: ModelUsage, messages: number): void {
		const tokens = inputTokens.total + outputTokens.total;
		this.#counted = isEstimate || inputTokens.total === 0 ? undefined : { tokens, messages };
	}

	/** The conversation is another one now. */
	forget(): void {
		this.#counted = undefined;
	}

	estimate({ system, tools }: Pick<LoopInput, "system" | "tools">, messages: readonly ModelMessage[]): number {
		if (!this.#counted) return tokensOf([system, ...tools, ...messages]);
		// The message after those is the answer, which was counted too.
		return this.#counted.tokens + tokensOf(messages.slice(this.#counted.messages + 1));
	}

	isNearlyFull(input: LoopInput, messages: readonly ModelMessage[]): boolean {
		if (!input.compact) return false;
		const window = input.model.contextWindow ?? usualContextWindow;
		return this.estimate(input, messages) > window * fullShare;
	}
}

function tokensOf(parts: readonly unknown[]): number {
	const lengths = parts.map((part) => (typeof part === "string" ? part : JSON.stringify(part)).length);
	return Math.ceil(lengths.reduce((sum, length) => sum + length, 0) / charactersPerToken);
}
