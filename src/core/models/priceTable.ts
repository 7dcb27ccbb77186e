import type { ModelUsage } from "./modelPort.ts";

/** US dollars for a million tokens. */
export interface Price {
	readonly input: number;
	/** Read from the cache. Default: the price of input. */
	readonly cachedInput?: number;
	/** Written to the cache. Default: the price of input. */
	readonly cacheWrite?: number;
	readonly output: number;
}

/** By the beginning of the model's name; the longest one that fits counts. */
export type PriceTable = Readonly<Record<string, Price>>;

export type PricedUsage = Pick<ModelUsage, "inputTokens" | "outputTokens"> & { readonly cacheWrite?: number };

const openai = (input: number, cachedInput: number, output: number): Price => ({ input, cachedInput, output });
const anthropic = (input: number, output: number): Price => ({
	input,
	cachedInput: input / 10,
	cacheWrite: input * 1.25,
	output,
});

/**
 * List prices as they were known when this was written. They are defaults: vendors change them, and what a user sets for
 * a provider comes first. A model that is not here has no known price, which is never shown as zero.
 */
export const defaultPrices: PriceTable = {
	"claude-3-haiku": anthropic(0.25, 1.25),
	"claude-3-5-haiku": anthropic(0.8, 4),
	"claude-3-5-sonnet": anthropic(3, 15),
	"claude-3-7-sonnet": anthropic(3, 15),
	"claude-3-opus": anthropic(15, 75),
	"claude-haiku-4-5": anthropic(1, 5),
	"claude-sonnet-4-0": anthropic(3, 15),
	"claude-sonnet-4": anthropic(3, 15),
	"claude-sonnet-4-5": anthropic(3, 15),
	"claude-sonnet-4-6": anthropic(3, 15),
	"claude-opus-4-0": anthropic(15, 75),
	"claude-opus-4-1": anthropic(15, 75),
	"claude-opus-4": anthropic(15, 75),
	"claude-opus-4-5": anthropic(5, 25),
	"claude-opus-4-6": anthropic(5, 25),
	"gpt-4o": openai(2.5, 1.25, 10),
	"gpt-4o-mini": openai(0.15, 0.075, 0.6),
	"gpt-4.1": openai(2, 0.5, 8),
	"gpt-4.1-mini": openai(0.4, 0.1, 1.6),
	"gpt-4.1-nano": openai(0.1, 0.025, 0.4),
	"gpt-5": openai(1.25, 0.125, 10),
	"gpt-5-mini": openai(0.25, 0.025, 2),
	"gpt-5-nano": openai(0.05, 0.005, 0.4),
	o3: openai(2, 0.5, 8),
	"o4-mini": openai(1.1, 0.275, 4.4),
};

/** What the tokens cost, or `null` where the price is not known. */
export function priceOf(modelId: string, usage: PricedUsage, overrides: PriceTable = {}): number | null {
	const price = find(overrides, modelId, anything) ?? find(defaultPrices, modelId, dateOrTag);
	if (!price) return null;
	const { input, cachedInput = input, cacheWrite = input, output } = price;
	const { total, cacheRead } = usage.inputTokens;
	const written = usage.cacheWrite ?? 0;
	const fresh = Math.max(0, total - cacheRead - written);
	const micro = fresh * input + cacheRead * cachedInput + written * cacheWrite + usage.outputTokens.total * output;
	return micro / 1_000_000;
}

/** What a user writes fits every name that begins so. */
const anything = /^/u;
/** Ours go on only with a date or a tag: `gpt-5-2025-08-07` is gpt-5, while `gpt-5.1` and `gpt-5-pro` have other prices. */
const dateOrTag = /^(?:[-@:]?\d{4}[-\d]*|[-@:]latest|)$/u;

function find(table: PriceTable, modelId: string, rest: RegExp): Price | undefined {
	const [longest] = Object.keys(table)
		.filter((name) => modelId.startsWith(name) && rest.test(modelId.slice(name.length)))
		.toSorted((a, b) => b.length - a.length);
	return longest === undefined ? undefined : table[longest];
}
