import { describe, expect, it } from "vitest";
import { defaultPrices, priceOf } from "../../../../src/core/models/priceTable.ts";
import { speak } from "../../../fakes/modelServer.ts";
import { askWire, finishOf } from "./askWire.ts";

const million = {
	inputTokens: { total: 1_000_000, cacheRead: 400_000 },
	outputTokens: { total: 100_000, reasoning: 0 },
};

describe("The price of an answer", () => {
	it("counts fresh, cached and written tokens each at their own rate", () => {
		const prices = { m: { input: 10, cachedInput: 1, cacheWrite: 12, output: 50 } };
		expect(priceOf("m", million, prices)).toBeCloseTo(6 + 0.4 + 5);
		expect(priceOf("m", { ...million, cacheWrite: 100_000 }, prices)).toBeCloseTo(5 + 0.4 + 1.2 + 5);
		expect(priceOf("m", million, { m: { input: 10, output: 50 } })).toBeCloseTo(10 + 5);
	});

	it.each(["unknown", "gpt-5.1", "gpt-5-pro", "o3-mini", "claude-opus-4-9", "gpt-4o-audio-preview"])(
		"of %s is not known, and not zero",
		(model) => {
			expect(priceOf(model, million)).toBeNull();
		},
	);

	it.each([
		["gpt-5-2025-08-07", "gpt-5"],
		["gpt-5-mini", "gpt-5-mini"],
		["claude-opus-4-20250514", "claude-opus-4"],
		["claude-opus-4-5-20251101", "claude-opus-4-5"],
		["claude-3-5-haiku-latest", "claude-3-5-haiku"],
	])("of %s is that of %s", (model, name) => {
		expect(priceOf(model, million)).toBe(priceOf("x", million, { x: defaultPrices[name] ?? { input: 0, output: 0 } }));
	});

	it("is what the user says first, by the longest beginning", () => {
		const prices = { gpt: { input: 1, output: 1 }, "gpt-5": { input: 2, output: 2 } };
		expect(priceOf("gpt-5-2025-08-07", million, prices)).toBeCloseTo(2.2);
		expect(priceOf("gpt-oss", million, prices)).toBeCloseTo(1.1);
	});

	it("stands in the finish of the answer", async () => {
		const { parts } = await askWire(
			"anthropic",
			{ body: speak("anthropic", { text: ["Hi"] }) },
			{},
			{ prices: { "gpt-test": { input: 1e6, output: 0 } } },
		);
		expect(finishOf(parts)?.usage.usd).toBe(100);
	});
});
