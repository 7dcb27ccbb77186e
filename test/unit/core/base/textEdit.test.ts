import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { applyTextEdits, rangesIn } from "../../../../src/core/base/textEdit.ts";

const text = fc.string({ unit: fc.constantFrom("a", "é", "👪", "\n", "\r\n", " "), maxLength: 60 });

describe("applyTextEdits", () => {
	it("applies edits in whatever order they are given", () => {
		const rangeOf = rangesIn("one\ntwo\nthree");
		const edits = [
			{ range: rangeOf(8, 13), newText: "3" },
			{ range: rangeOf(0, 3), newText: "1" },
			{ range: rangeOf(4, 4), newText: "and " },
		];
		expect(applyTextEdits("one\ntwo\nthree", edits)).toBe("1\nand two\n3");
		expect(applyTextEdits("one\ntwo\nthree", edits.toReversed())).toBe("1\nand two\n3");
	});

	it("replaces exactly what lies between two offsets", () => {
		fc.assert(
			fc.property(text, fc.nat(), fc.nat(), text, (source, one, other, newText) => {
				const [from = 0, to = 0] = [one % (source.length + 1), other % (source.length + 1)].toSorted((a, b) => a - b);
				const range = rangesIn(source)(from, to);
				expect(applyTextEdits(source, [{ range, newText }])).toBe(source.slice(0, from) + newText + source.slice(to));
			}),
		);
	});
});

describe("rangesIn", () => {
	it("counts lines and columns from 1", () => {
		const rangeOf = rangesIn("ab\ncd");
		expect(rangeOf(0, 2)).toEqual({ line: 1, column: 1, endLine: 1, endColumn: 3 });
		expect(rangeOf(1, 4)).toEqual({ line: 1, column: 2, endLine: 2, endColumn: 2 });
		expect(rangeOf(5, 5)).toEqual({ line: 2, column: 3, endLine: 2, endColumn: 3 });
	});
});
