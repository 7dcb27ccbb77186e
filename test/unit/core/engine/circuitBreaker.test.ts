import { describe, expect, it } from "vitest";
import { CircuitBreaker } from "../../../../src/core/engine/circuitBreaker.ts";

/** One whose provider has failed so often, a second apart, from the given time. */
function afterFailures(count: number, from = 0): CircuitBreaker {
	const breaker = new CircuitBreaker();
	for (let each = 0; each < count; each++) breaker.failed("p", "busy", from + each * 1_000);
	return breaker;
}

describe("a provider", () => {
	it("is left alone for a minute after ten failures within one", () => {
		const breaker = afterFailures(9);
		expect(breaker.enter("p", 9_000)).toBeNull();
		expect(breaker.failed("p", "busy", 9_000)).toBe(60_000);
		expect(breaker.enter("p", 9_000)).toEqual({ until: 69_000, reason: "busy" });
		expect(breaker.enter("p", 68_999)).not.toBeNull();
		expect(breaker.enter("other", 9_000)).toBeNull();
	});

	it("that fails now and then is not", () => {
		const breaker = new CircuitBreaker();
		for (let each = 0; each < 100; each++) expect(breaker.failed("p", "busy", each * 6_667)).toBeNull();
	});

	it("is then tried by one request at a time, and by all once it has answered", () => {
		const breaker = afterFailures(10);
		expect(breaker.enter("p", 69_000)).toBeNull();
		expect(breaker.enter("p", 69_000)).toEqual({ until: 74_000, reason: "busy" });
		expect(breaker.enter("p", 74_000)).toBeNull();
		expect(breaker.enter("p", 74_001)).not.toBeNull();
		breaker.answered("p");
		for (let each = 0; each < 8; each++) expect(breaker.enter("p", 74_002)).toBeNull();
		expect(breaker.failed("p", "busy", 74_003)).toBeNull();
	});

	it("whose trial fails is left alone for another minute", () => {
		const breaker = afterFailures(10);
		expect(breaker.enter("p", 69_000)).toBeNull();
		expect(breaker.failed("p", "still busy", 70_000)).toBe(60_000);
		expect(breaker.enter("p", 129_999)).toEqual({ until: 130_000, reason: "still busy" });
		expect(breaker.enter("p", 130_000)).toBeNull();
	});
});
