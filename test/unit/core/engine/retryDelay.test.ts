import { describe, expect, it } from "vitest";
import { providerPause, retryDelay } from "../../../../src/core/engine/retryDelay.ts";
import type { ModelError } from "../../../../src/core/models/modelPort.ts";

function anError(fields: Partial<ModelError> = {}): ModelError {
	return { message: "no", retryable: true, ...fields };
}

describe("retryDelay", () => {
	it("doubles from one second to one minute, a fifth more or less, and gives up after the sixth failure", () => {
		for (const [attempt, about] of [1_000, 2_000, 4_000, 8_000, 16_000].entries()) {
			const delay = retryDelay(anError(), attempt + 1) ?? 0;
			expect(delay).toBeGreaterThanOrEqual(about * 0.8);
			expect(delay).toBeLessThanOrEqual(about * 1.2);
		}
		expect(retryDelay(anError(), 6)).toBeNull();
	});

	it("takes what the provider asks for, and never asks again what cannot help", () => {
		expect(retryDelay(anError({ retryAfterMs: 90_000 }), 1)).toBe(90_000);
		expect(retryDelay(anError({ retryable: false, retryAfterMs: 1 }), 1)).toBeNull();
	});
});

describe("providerPause", () => {
	it.for<[string, Partial<ModelError>, number | null]>([
		["a rate limit", { kind: "rate-limit" }, 700],
		["an overload", { kind: "overload" }, 700],
		["a 429 of no known kind", { statusCode: 429 }, 700],
		["a long retry-after of any failure", { kind: "network", retryAfterMs: 5_001 }, 700],
	])("holds everybody back for %s", ([, fields, pause]) => {
		expect(providerPause(anError(fields), 700)).toBe(pause);
	});

	it.for<[string, Partial<ModelError>]>([
		["a broken connection", { kind: "network" }],
		["a short retry-after", { kind: "network", retryAfterMs: 5_000 }],
		["an answer against the protocol", { kind: "protocol" }],
	])("holds nobody back for %s", ([, fields]) => {
		expect(providerPause(anError(fields), 700)).toBeNull();
	});
});
