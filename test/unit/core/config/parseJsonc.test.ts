import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseJsonc } from "../../../../src/core/config/parseJsonc.ts";
import { positionAt } from "../../../../src/core/config/positionTree.ts";

describe("parseJsonc", () => {
	it("reads comments and trailing commas", () => {
		const text = `// first\n{ /* a */ "a": [1, "//", /**/ true,], // end\n "b": null,\n}`;
		expect(parseJsonc(text)).toMatchObject({ value: { a: [1, "//", true], b: null } });
	});

	it("keeps where each part is", () => {
		const parsed = parseJsonc(`{\n  "a": { "b": [ "x", "y" ] }\n}`);
		if ("message" in parsed) throw new Error(parsed.message);
		expect(positionAt(parsed.tree, ["a", "b"])).toEqual({ line: 2, column: 10, endLine: 2, endColumn: 13 });
		expect(positionAt(parsed.tree, ["a", "b", 1])).toEqual({ line: 2, column: 22, endLine: 2, endColumn: 25 });
	});

	it.each([
		["", "1:1"],
		["{", "1:2"],
		['{"a"', "1:5"],
		['{"a": tru}', "1:7"],
		['{"a": "sk-secret}', "1:7"],
		["[1 2]", "1:4"],
		["{a: 1}", "1:2"],
		["{}\n}", "2:1"],
		["[".repeat(5000), "1:102"],
	])("says where %j can't be read, without quoting it", (text, place) => {
		const parsed = parseJsonc(text);
		if (!("message" in parsed)) throw new Error("It was read.");
		expect(`${parsed.at.line}:${parsed.at.column}`).toBe(place);
		expect(parsed.message).not.toContain("secret");
	});

	it("makes own properties of odd names", () => {
		const parsed = parseJsonc('{"__proto__": {"polluted": true}}');
		expect("value" in parsed && Object.keys(Object(parsed.value))).toEqual(["__proto__"]);
		expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
	});

	it("reads whatever JSON can say, as JSON does", () => {
		fc.assert(
			fc.property(fc.jsonValue({ maxDepth: 5 }), fc.constantFrom("", "\t", "  "), (value, indent) => {
				expect(parseJsonc(JSON.stringify(value, null, indent))).toMatchObject({
					value: JSON.parse(JSON.stringify(value)) as unknown,
				});
			}),
		);
	});
});
