import { describe, expect, it } from "vitest";
import type { Source } from "../../../../src/core/config/provenance.ts";
import { findLimit } from "../../../../src/core/engine/findLimit.ts";

const said = (layer: Source["layer"], value: number) => ({ value, provenance: { layer, shadows: [], reason: "" } });

describe("a limit that has a setting of its own", () => {
	const cases: readonly [Source["layer"], number, number | undefined, number][] = [
		["builtIn", 8, undefined, 8],
		["builtIn", 8, 3, 3],
		["home", 6, undefined, 6],
		["home", 6, 12, 12],
		["settings", 6, 12, 6],
		["repo", 2, 12, 2],
		["repo", 6, 3, 3],
		["repo", 6, undefined, 6],
	];

	it.each(cases)("said by %s as %s, with the setting at %s, is %s", (layer, value, own, limit) => {
		expect(findLimit(said(layer, value), () => own)).toBe(limit);
	});

	it("is said only by files in a process without settings", () => {
		expect(findLimit(said("builtIn", 8), undefined)).toBeUndefined();
		expect(findLimit(said("home", 6), undefined)).toBe(6);
	});

	it("of time has no end at 0, so that a repo is below it", () => {
		const toComparable = (minutes: number) => minutes || Infinity;
		expect(findLimit(said("repo", 30), () => 0, toComparable)).toBe(30);
		expect(findLimit(said("repo", 30), () => 10, toComparable)).toBe(10);
	});
});
