import { describe, expect, it } from "vitest";
import { rowAfterKey } from "../../../../webview/runs/rowAfterKey.ts";

describe("rowAfterKey", () => {
	it.each([
		["ArrowUp", 4],
		["ArrowDown", 6],
		["PageUp", 0],
		["PageDown", 15],
		["Home", 0],
		["End", 99],
	])("moves from row 5 of 100 with %s to row %i, by pages of 10", (key, row) => {
		expect(rowAfterKey(key, 5, 100, 10)).toBe(row);
	});

	it("stays within the list", () => {
		expect(rowAfterKey("ArrowUp", 0, 3, 10)).toBe(0);
		expect(rowAfterKey("PageDown", 1, 3, 10)).toBe(2);
	});

	it.each(["Enter", "s", "Escape"])("leaves %s to others", (key) => {
		expect(rowAfterKey(key, 5, 100, 10)).toBeUndefined();
	});
});
