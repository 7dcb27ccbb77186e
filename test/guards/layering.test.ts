/**
 * A guard for the guards: a linter that silently passes everything looks like a clean project. Each file in `broken/`
 * says in its first line what it breaks, and is held to exactly that by our own lint and type configuration.
 */
import { cpSync, globSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { beforeAll, describe, expect, it, vi } from "vitest";
import { projectRoot } from "../vscode/paths.ts";
import { runTool } from "./runTool.ts";
import { scratchFolder } from "./scratchFolder.ts";

const configuration = [
	".oxlintrc.json",
	"test/guards/lint/noSilentCatch.js",
	"tsconfig.json",
	"tsconfig.base.json",
	"src/core/tsconfig.json",
	"src/core/vscodeIsNotAvailableInCore.d.ts",
	"src/protocol/tsconfig.json",
	"webview/tsconfig.json",
];

const broken = path.join(projectRoot, "test/guards/broken");
const examples: Readonly<Record<string, string>> = {
	...Object.fromEntries(
		globSync("**/*.txt", { cwd: broken }).map((file) => [
			file.slice(0, -".txt".length),
			readFileSync(path.join(broken, file), "utf8"),
		]),
	),
	"src/core/longFile.ts": ["// Breaks: eslint(max-lines)", ...constants(400)].join("\n"),
	"src/core/longFunction.ts": [
		"// Breaks: eslint(max-lines-per-function)",
		"export function count(): number {",
		"\tlet sum = 0;",
		...Array.from({ length: 60 }, () => "\tsum += 1;"),
		"\treturn sum;",
		"}",
	].join("\n"),
	"src/core/longestAllowed.ts": ["// Breaks: nothing", ...constants(399)].join("\n"),
};

interface LintReport {
	readonly diagnostics: readonly { filename: string; code: string; help?: string }[];
}

interface LintConfiguration {
	readonly rules: Readonly<Record<string, unknown>>;
	readonly overrides: readonly { rules: Readonly<Record<string, unknown>> }[];
}

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

const folder = scratchFolder();
const found = new Map<string, Set<string>>();
let report: LintReport;

beforeAll(async () => {
	for (const file of configuration) cpSync(path.join(projectRoot, file), path.join(folder, file));
	for (const [file, text] of Object.entries(examples)) {
		mkdirSync(path.dirname(path.join(folder, file)), { recursive: true });
		writeFileSync(path.join(folder, file), text);
	}
	const [lint, types] = await Promise.all([
		runTool("oxlint", ["--type-aware", "--format", "json", "src", "webview"], folder),
		runTool("tsc", ["-b", ".", "webview", "--pretty", "false"], folder),
	]);
	report = JSON.parse(lint) as LintReport;
	for (const { filename, code } of report.diagnostics) add(filename, code);
	for (const [, file = "", code = ""] of types.matchAll(/^(\S+?)\(\d+,\d+\): error (TS\d+)/gm)) add(file, code);
});

describe("the lint and type configuration", () => {
	it.for(Object.keys(examples).toSorted())("finds what %s breaks, and nothing else", (file) => {
		expect([...(found.get(file) ?? [])].toSorted()).toEqual(promised(examples[file] ?? ""));
	});

	it("finds nothing outside the examples", () => {
		expect([...found.keys()].filter((file) => !(file in examples))).toEqual([]);
	});

	it("has a broken example for each rule that it switches on by name", () => {
		const seen = new Set(report.diagnostics.map(({ code }) => code));
		expect(namedRules().filter((rule) => !seen.has(rule))).toEqual([]);
	});

	it("has a broken example for each sentence that it says about imports", () => {
		const said = new Set(report.diagnostics.map(({ help }) => help));
		expect(importSentences().filter((sentence) => !said.has(sentence))).toEqual([]);
	});
});

function add(file: string, code: string): void {
	const codes = found.get(file) ?? new Set();
	found.set(file, codes.add(code));
}

/** `// Breaks: eslint(no-empty) TS2305` → those codes. */
function promised(text: string): string[] {
	const [, codes = ""] = /^\/\/ Breaks: (.+)$/m.exec(text) ?? [];
	return codes === "nothing" ? [] : codes.split(" ").toSorted();
}

function constants(count: number): string[] {
	return Array.from({ length: count }, (_, index) => `export const number${index} = ${index};`);
}

function readConfiguration(): LintConfiguration {
	return JSON.parse(readFileSync(path.join(projectRoot, ".oxlintrc.json"), "utf8")) as LintConfiguration;
}

/** Every rule set to something other than "off", as the reports spell it: `import/no-cycle` → `import(no-cycle)`. */
function namedRules(): string[] {
	const { rules, overrides } = readConfiguration();
	const all = [rules, ...overrides.map((override) => override.rules)].flatMap((set) => Object.entries(set));
	const names = all.filter(([, level]) => level !== "off").map(([name]) => name.split("/"));
	return names.map(([first = "", second]) => (second === undefined ? `eslint(${first})` : `${first}(${second})`));
}

function importSentences(): string[] {
	const sentences = JSON.stringify(readConfiguration().overrides).matchAll(/"message":"([^"]+)"/g);
	return [...sentences].map(([, sentence = ""]) => sentence);
}
