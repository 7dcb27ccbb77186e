import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { LineSplitter } from "../../../../../src/core/tools/builtin/lineSplitter.ts";

describe("LineSplitter", () => {
	it("gives the same lines however the bytes arrive", () => {
		const text = fc.string({ unit: fc.constantFrom("a", "é", "🎉", "\n", "\r\n", "\r", " ") });
		fc.assert(
			fc.property(text, fc.infiniteStream(fc.integer({ min: 1, max: 5 })), (content, sizes) => {
				const splitter = new LineSplitter(1_000);
				const bytes = Buffer.from(content);
				const lines: string[] = [];
				for (let start = 0; start < bytes.length;) {
					const end = start + sizes.next().value;
					lines.push(...splitter.push(bytes.subarray(start, end)));
					start = end;
				}
				lines.push(...splitter.end());
				const expected = content.split("\n").map((line) => line.replace(/\r$/, ""));
				if (content === "" || content.endsWith("\n")) expected.pop();
				expect(lines).toEqual(expected);
			}),
		);
	});

	it("marks a line that is longer than allowed, and none that fits", () => {
		const splitter = new LineSplitter(3);
		expect(splitter.push(Buffer.from("abc\nabc\r\nabcd\nabc\rd\n"))).toEqual(["abc", "abc", "ab…", "ab…"]);
	});
});
