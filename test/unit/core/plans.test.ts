import { describe, expect, it } from "vitest";
import { describeScope, readPlanScope } from "../../../src/core/plans/planScope.ts";

describe("the scope of a plan", () => {
	it("is what its last sections list, one code span an item", () => {
		const text =
			"# Plan\n\nDo it.\n\n## files\n\n- `src/a.ts` gets the rule\n- `docs/**`\n\n## Commands\n\n1. `npm test`\n";
		expect(readPlanScope(text)).toEqual({ files: ["src/a.ts", "docs/**"], commands: ["npm test"], problems: [] });
		expect(readPlanScope(text.replaceAll("\n", "\r\n"))).toEqual(readPlanScope(text));
		expect(describeScope(readPlanScope(text))).toBe("edits 2 files, runs 1 command");
	});

	it("is nothing where a section is missing, and empty where it lists nothing", () => {
		expect(readPlanScope("# Plan\n")).toEqual({ problems: [] });
		expect(readPlanScope("## Files\n\n## Commands\n")).toEqual({ files: [], commands: [], problems: [] });
	});

	it.each([
		["a fence", "```\n## Files\n- `a`\n```\n"],
		["a quote", "> ## Files\n> - `a`\n"],
		["a comment", "<!--\n## Files\n- `a`\n-->\n"],
		["another level", "### Files\n\n- `a`\n"],
		["an item of another list", "- x\n\n  ## Files\n\n  - `a`\n"],
	])("does not begin in %s", (_, text) => {
		expect(readPlanScope(text).files).toBeUndefined();
	});

	it.each([
		["two code spans", "## Files\n\n- `a` and `b`\n"],
		["no code span", "## Files\n\n- a\n"],
		["a paragraph", "## Files\n\n`a`\n"],
		["a nested list", "## Files\n\n- x\n  - `a`\n"],
		["a way out", "## Files\n\n- `../a`\n"],
		["an absolute path", "## Files\n\n- `/etc/passwd`\n"],
		["a folder", "## Files\n\n- `src/`\n"],
		["a negated glob", "## Files\n\n- `!(a)`\n"],
		["hidden characters", "## Commands\n\n- `npm\u202E test`\n"],
		["another alphabet", "## Commands\n\n- `nрm test`\n"],
	])("gives nothing for %s, and says so", (_, text) => {
		const { files = [], commands = [], problems } = readPlanScope(text);
		expect([...files, ...commands]).toEqual([]);
		expect(problems).toHaveLength(1);
		expect(problems[0]).toContain("allows nothing");
	});

	it("ends with the next section", () => {
		expect(readPlanScope("## Files\n\n- `a`\n\n## Notes\n\n- `b`\n").files).toEqual(["a"]);
	});
});
