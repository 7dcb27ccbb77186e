import { describe, expect, it } from "vitest";
import { locateInFrontmatter } from "../../../../src/core/agents/locateInFrontmatter.ts";

const text = `---
name: helper
"description": >
  Helps
  a lot.

tools:
  - read_file # the first
  - 'grep'
budget: { tokens: 5, usd: 1 }
color:
list: one, two , "three"
---
name: not here
`;
const at = (line: number, column: number, endColumn: number, endLine = line) => ({ line, column, endLine, endColumn });

describe("locateInFrontmatter", () => {
	it("knows where keys and values are", async () => {
		const places = await locateInFrontmatter(text);
		expect(places.key(["name"])).toEqual(at(2, 1, 5));
		expect(places.value(["name"])).toEqual(at(2, 7, 13));
		expect(places.key(["description"])).toEqual(at(3, 1, 14));
		expect(places.value(["description"])).toEqual(at(3, 16, 9, 5));
		expect(places.value(["tools", 0])).toEqual(at(8, 5, 14));
		expect(places.value(["tools", 1])).toEqual(at(9, 5, 11));
		expect(places.key(["budget", "usd"])).toEqual(at(10, 22, 25));
		expect(places.value(["budget", "usd"])).toEqual(at(10, 27, 28));
	});

	it("falls back to what is around a thing that is not there", async () => {
		const places = await locateInFrontmatter(text);
		expect(places.value(["color"])).toEqual(at(11, 1, 6));
		expect(places.value(["budget", "turns"])).toEqual(at(10, 9, 30));
		expect(places.value(["name", 3])).toEqual(at(2, 7, 13));
	});

	it("finds a word between commas", async () => {
		const places = await locateInFrontmatter(text);
		expect(places.word(["list"], "two")).toEqual(at(12, 12, 15));
		expect(places.word(["list"], "three")).toEqual(at(12, 19, 24));
		expect(places.word(["list"], "four")).toEqual(places.value(["list"]));
	});

	it("knows the fences, and the lines of an entry", async () => {
		const places = await locateInFrontmatter(text);
		expect(places.fence).toEqual(at(1, 1, 4));
		expect(places.closingFence).toEqual(at(13, 1, 4));
		expect(places.end).toEqual(at(13, 1, 1));
		expect(places.entry("tools")).toEqual(at(7, 1, 1, 10));
		expect(places.entry("missing")).toBeUndefined();
	});

	it.each([
		["a: 1\na: 2", at(3, 1, 2)],
		["a: !unknown b", at(2, 4, 12)],
		["a:\n\tb: 1", at(3, 1, 2)],
		["a: [1", at(3, 1, 4)],
	])("says where invalid YAML is wrong: %j", async (yaml, place) => {
		expect((await locateInFrontmatter(`---\n${yaml}\n---\nx`)).mistake).toEqual(place);
	});

	it.each(["", "just text", "- a\n- b"])("has no places in frontmatter that is %j", async (yaml) => {
		const places = await locateInFrontmatter(`---\n${yaml}\n---\nx`);
		expect(places.key(["a"])).toEqual(places.value([]));
		expect(places.entry("a")).toBeUndefined();
	});
});
