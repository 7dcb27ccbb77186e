import { describe, expect, it } from "vitest";
import { applyTextEdits } from "../../../../src/core/base/textEdit.ts";
import { quoteFragileValues } from "../../../../src/core/skills/quoteFragileValues.ts";

const quote = (...lines: readonly string[]) => {
	const text = `---\n${lines.join("\n")}\n---\nbody: is: body\n`;
	return applyTextEdits(text, quoteFragileValues(text)).split("\n").slice(1, -3);
};

describe("quoteFragileValues", () => {
	it.for<[line: string, quoted: string]>([
		["description: Use when: asked", "description: 'Use when: asked'"],
		["description: Ends with:", "description: 'Ends with:'"],
		["argument-hint: [a] | --b", "argument-hint: '[a] | --b'"],
		["argument-hint: [a] [b]  ", "argument-hint: '[a] [b]'  "],
		["title: {{TITLE}} here", "title: '{{TITLE}} here'"],
		["description: **Does** this", "description: '**Does** this'"],
		["description: @mentions", "description: '@mentions'"],
		['description: "Quoted" and not', "description: '\"Quoted\" and not'"],
		["description: It's: fine", "description: 'It''s: fine'"],
	])("puts %s in quotes", ([line, quoted]) => {
		expect(quote(line)).toEqual([quoted]);
	});

	it.for([
		"description: plain text, with http://colons inside",
		'description: "quoted: well" # comment',
		"description: 'it''s: quoted'",
		'metadata: {"a": {"b": ["c: d"]}}',
		"tags: [a, [b]] # comment",
		"description: |",
		"license: *alias",
		"license: &anchor MIT",
		"  nested: is: left",
		"- item: is: left",
	])("leaves %s", (line) => {
		expect(quote(line)).toEqual([line]);
	});

	it("leaves a value that goes on in the next line", () => {
		expect(quote("description: Use when: asked", "  or not")).toEqual(["description: Use when: asked", "  or not"]);
	});

	it("takes no longer for what looks worse", () => {
		const worst = ['a: "', '\\"'.repeat(8_000), ` ${" ".repeat(8_000)}x`].join("");
		const startedAt = performance.now();
		quote(worst, `b: [${'"\\"'.repeat(5_000)}`, `c: ${"x: ".repeat(5_000)}`, `d: x${" ".repeat(16_000)}y`);
		expect(performance.now() - startedAt).toBeLessThan(1_000);
	});
});
