/** What must not be in the repository. The forbidden words are put together here, so that this file may be in it. */
import { readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { projectRoot } from "../vscode/paths.ts";
import { projectFiles } from "./projectFiles.ts";
import { lengthProblems, lockfileProblems, textProblems, topLevelProblems } from "./repositoryProblems.ts";

const files = projectFiles();
const texts = files
	.map((file): [file: string, text: string] => [file, readFileSync(path.join(projectRoot, file), "utf8")])
	.filter(([, text]) => !text.includes("\0"));

describe("the repository", () => {
	it("names no package registry, no path of one machine, and nothing left to finish", () => {
		expect(texts.flatMap(([file, text]) => textProblems(file, text))).toEqual([]);
	});

	it("has no code file that is too long", () => {
		expect(texts.flatMap(([file, text]) => lengthProblems(file, text))).toEqual([]);
	});

	it("has lockfiles that can be installed from anywhere", () => {
		expect(texts.filter(([file]) => file.endsWith("package-lock.json"))).toHaveLength(3);
		expect(texts.flatMap(([file, text]) => lockfileProblems(file, text))).toEqual([]);
	});

	it("has only what it is known for at the top", () => {
		expect(topLevelProblems(files)).toEqual([]);
	});
});

describe("its guards", () => {
	const slash = "/";
	const host = ["registry", "npmjs", "org"].join(".");

	it.for([
		[`registry=https:${slash}${slash}${host}${slash}`, "names a package registry"],
		[`const folder = "${slash}work${slash}main";`, "names a path of one machine"],
		[`cd ${slash}root`, "names a path of one machine"],
		[`see ${slash}tmp${slash}notes.txt`, "names a path of one machine"],
		[`run(); ${slash}${slash} TODO: stop it`, "is a note to finish something"],
		[` * FIXME this`, "is a note to finish something"],
		[`TODO: write this chapter`, "is a note to finish something"],
	])("find out %s", ([line = "", problem = ""]) => {
		expect(textProblems("src/some.ts", `first\n${line}\n`)).toEqual([`src/some.ts:2 ${problem}.`]);
	});

	it.for([
		`import { workspace } from "..${slash}workspace.ts";`,
		`const home = "~${slash}work${slash}main";`,
		`const file = \`\${folder}${slash}tmp${slash}notes\`;`,
		`expect(find("${slash}${slash} TODO: later")).toBe(1);`,
		"the npm registry",
	])("let pass %s", (line) => {
		expect(textProblems("src/some.ts", line)).toEqual([]);
	});

	it("find out a long file, a lockfile with addresses, and a stray file at the top", () => {
		const long = "x\n".repeat(401);
		expect(lengthProblems("src/long.ts", long)).toEqual(["src/long.ts has 401 lines; 400 are allowed."]);
		expect(lengthProblems("webview/long.css", long)).toHaveLength(1);
		expect(lengthProblems("src/short.ts", "x\n".repeat(400))).toEqual([]);
		expect(lockfileProblems("package-lock.json", '{ "resolved": "somewhere" }')).toHaveLength(1);
		expect(topLevelProblems(["src/a.ts", "notes.txt", "docs/a.md"])).toEqual([
			"notes.txt has no place at the top.",
			"docs has no place at the top.",
		]);
	});
});
