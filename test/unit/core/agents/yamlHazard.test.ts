import { describe, expect, it } from "vitest";
import { findYamlHazard } from "../../../../src/core/agents/yamlHazard.ts";

const kindOf = (yaml: string) => findYamlHazard(yaml, 40)?.kind;

describe("findYamlHazard", () => {
	it.each([
		"a: &x 1",
		"a: *x",
		"- *x",
		"- - &x b",
		"a: [1, *x]",
		"a: [*x]",
		"a: {b: *x}",
		'a: {"b":*x}',
		"*x : b",
		"? &x a\n: b",
		"? a\n: *x",
		"a: !!str &x b",
		"a: [\n  1,\n  *x\n]",
		'a: "b" # c\nd: *x',
		"a: >\n  text\nb: *x",
		"- a: |\n    text\n  b: *x",
		"a:\n  &x\n  b: c",
	])("finds the anchor or alias in %j", (yaml) => {
		expect(kindOf(yaml)).toBe("alias");
	});

	it.each([
		"a: R&D and 2 * 3",
		"a: Q & A",
		"a: 5 *",
		'a: "*x &y"',
		"a: '*x it''s &y'",
		'a: "first\n  *second"',
		'a: "\\" *x"',
		"a: b # *x",
		"# &x\na: b",
		"a: >\n  Use\n  *this* one\n  &that\n\n  *again*\nb: 1",
		"a: |-\n  *x",
		"- |\n  *x",
		"- a: >\n    *x",
		"a: see [this](that), {and} *that*",
		"a: [b, 'c, *d']",
		"a: ['it''s, *d']",
	])("finds nothing in %j", (yaml) => {
		expect(findYamlHazard(yaml, 40)).toBeUndefined();
	});

	it.each([
		["brackets", `a: ${"[".repeat(41)}`],
		["braces", `a: ${"{b: ".repeat(41)}`],
		["indentation", Array.from({ length: 1000 }, (_, depth) => `${" ".repeat(depth)}a:`).join("\n")],
		["dashes on one line", `${"- ".repeat(41)}a`],
		["brackets after a tab (A08)", `a:\n\t${"[".repeat(20_000)}`],
	])("finds nesting too deep by %s", (_how, yaml) => {
		expect(kindOf(yaml)).toBe("depth");
	});

	it("counts what is open at once, not what was opened in all", () => {
		const lines = Array.from({ length: 100 }, (_, index) => `a${index}:\n  - [x, {y: z}]\n  - b`);
		expect(kindOf(lines.join("\n"))).toBeUndefined();
	});

	it("counts from the first line", () => {
		expect(findYamlHazard("a: 1\nb: 2\nc: *d", 40)).toEqual({ kind: "alias", sign: "*", line: 3, column: 4 });
	});
});
