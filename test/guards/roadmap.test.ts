import { readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { projectRoot } from "../vscode/paths.ts";
import { projectFiles } from "./projectFiles.ts";
import { roadmapProblems } from "./roadmapProblems.ts";

const read = (file: string) => readFileSync(path.join(projectRoot, file), "utf8");

describe("the roadmap", () => {
	it("names only tests that are there", () => {
		const tests = projectFiles().filter((file) => /^test\/.*\.ts$/u.test(file));
		expect(roadmapProblems(read("ROADMAP.md"), new Map(tests.map((file) => [file, read(file)])))).toEqual([]);
	});

	it.each([
		['`a/b.test.ts: "does this"`, `"and that"`', []],
		['`a/b.test.ts: "does … and that"`, `a/b.test.ts`', []],
		['`a/c.test.ts: "does this"`', ["line 1: there is no a/c.test.ts"]],
		['`a/b.test.ts: "does this"`, `"does more"`', ['line 1: a/b.test.ts has no test "does more"']],
	])("is found out when it says %s", (text, problems) => {
		const files = new Map([["test/unit/a/b.test.ts", 'it("does this"); it("and that");']]);
		expect(roadmapProblems(text, files)).toEqual(problems);
	});
});
