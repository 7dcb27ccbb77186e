import { describe, expect, it } from "vitest";
import { nearestName } from "../../../../src/core/base/nearestName.ts";

describe("nearestName", () => {
	const names = ["read_file", "list_dir", "grep"];

	it.each([
		["read_fil", "read_file"],
		["ReadFile", "read_file"],
		["listdir", "list_dir"],
		["grpe", "grep"],
		["grep", "grep"],
		["make_coffee", undefined],
		["", undefined],
	])("takes %j for %s", (name, expected) => {
		expect(nearestName(name, names)).toBe(expected);
	});
});
