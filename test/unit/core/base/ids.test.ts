import { afterEach, describe, expect, it, vi } from "vitest";
import { createId, createUuid } from "../../../../src/core/base/ids.ts";

describe("an id", () => {
	afterEach(() => void vi.useRealTimers());

	it("that is made later stands later in any order by text, also where the clock gains a digit", () => {
		vi.useFakeTimers();
		const moments = [1, 255, 256, 65_535, 65_536, 1_700_000_000_000, 1_700_000_000_001, 4_102_444_800_000];
		const made = moments.map((at) => {
			vi.setSystemTime(at);
			return Array.from({ length: 20 }, () => createId("run"));
		});
		const sorted = made.flat().toSorted();
		expect(sorted.map((id) => made.findIndex((ids) => ids.includes(id)))).toEqual(
			moments.flatMap((_, index) => Array.from({ length: 20 }, () => index)),
		);
	});

	it("is a UUID of version 7, with the time in front, and no two are the same", () => {
		vi.useFakeTimers({ now: 0x0123_4567_89ab });
		const ids = Array.from({ length: 1_000 }, createUuid);
		for (const id of ids) expect(id).toMatch(/^01234567-89ab-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/u);
		expect(new Set(ids).size).toBe(ids.length);
	});
});
