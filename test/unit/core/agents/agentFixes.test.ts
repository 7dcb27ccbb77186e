import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { parseAgentFile } from "../../../../src/core/agents/agentFile.ts";
import type { AgentProblem } from "../../../../src/core/agents/agentProblem.ts";
import { discoverAgents } from "../../../../src/core/agents/discoverAgents.ts";
import { applyTextEdits, type Fix } from "../../../../src/core/base/textEdit.ts";
import { temporaryFolder } from "../../../fakes/temporaryFolder.ts";
import { agentText, someTools } from "./agentText.ts";

const file = "/repo/.agents/agents/code-helper.md";
const parse = (text: string) => parseAgentFile({ layer: "repo", file }, text, someTools);

function apply(text: string, fix: Fix | undefined): string {
	if (fix === undefined || !("edits" in fix)) throw new Error("There is no such fix");
	return applyTextEdits(text, fix.edits);
}

async function repair(text: string): Promise<string> {
	const { problems } = await parse(text);
	return problems.reduce((repaired, { fixes }) => (fixes === undefined ? repaired : apply(text, fixes[0])), text);
}

const titles = (problem: AgentProblem | undefined) => problem?.fixes?.map(({ title }) => title);

describe("the fixes of an agent file", () => {
	it.each([
		["an unknown tool", "tools: [read_file, gerp]", "tools: [read_file, grep]"],
		["an unknown tool in quotes", "tools:\n  - 'gerp'", "tools:\n  - 'grep'"],
		["an unknown key", "timeoutSecond: 5", "timeoutSeconds: 5"],
		["a forbidden key", "hooks:\n  Stop: []\ncolor: red", "color: red"],
		["an unknown key like no other", "frobnicate: [1,\n  2]\ncolor: red", "color: red"],
		["a list without brackets", "tools: read_file, grep", "tools: [read_file, grep]"],
		["a misspelt value", "thinking: hihg", "thinking: high"],
		["a colon in a text", "color: red: or so", "color: 'red: or so'"],
		["a colon beside quotes", "color: it's so: red", "color: 'it''s so: red'"],
	])("repair %s", async (_what, broken, repaired) => {
		expect(await repair(agentText(broken))).toBe(agentText(repaired));
		expect((await parse(agentText(repaired))).problems).toEqual([]);
	});

	it("repair one tool of a list without brackets", async () => {
		const text = agentText("tools: read_file, gerp");
		const { problems } = await parse(text);
		const unknown = problems.find(({ code }) => code === "agent.unknownTool");
		expect(unknown).toMatchObject({ line: 4, column: 19, endColumn: 23 });
		expect(apply(text, unknown?.fixes?.[0])).toBe(agentText("tools: read_file, grep"));
	});

	it("add what is missing, in the file's own line ends", async () => {
		const text = "---\r\ncolor: red\r\n---\r\nYou help.\r\n";
		const { problems } = await parse(text);
		const edits = problems.flatMap(({ fixes = [] }) => fixes.flatMap((fix) => ("edits" in fix ? fix.edits : [])));
		const repaired = applyTextEdits(text, edits);
		expect(repaired.replaceAll("\r\n", "")).not.toMatch(/\n/u);
		expect(await parse(repaired)).toMatchObject({ agent: { name: "code-helper", color: "red" }, problems: [] });
	});

	it("remove hidden characters, and nothing else", async () => {
		const text = agentText("", { body: "You\u200B help\u202E.\n" });
		const { problems } = await parse(text);
		expect(problems).toMatchObject([{ code: "agent.hiddenCharacters", line: 5, column: 4 }]);
		expect(apply(text, problems[0]?.fixes?.[0])).toBe(agentText());
	});

	it("say which file they change", async () => {
		const { problems } = await parse(agentText("tools: [gerp]"));
		expect(problems[0]?.fixes).toMatchObject([{ title: 'Change to "grep"', edits: [{ file, newText: "grep" }] }]);
	});
});

describe("the fixes of a clash", () => {
	const agents = (text: string, more: Readonly<Record<string, string>> = {}) =>
		temporaryFolder({ ".agents/agents/a.md": text, ...more });
	const discover = (home: string, repo: string) =>
		discoverAgents(
			[
				{ layer: "home", path: home },
				{ layer: "repo", path: repo },
			],
			someTools,
		);

	it("offer both ways out to a repo's file, each of which ends the clash (R-08)", async () => {
		const home = agents(agentText());
		const repo = agents(agentText("color: red"), { ".agents/agents/b.md": agentText("", { name: "helper-2" }) });
		const [problem] = (await discover(home, repo)).problems;
		expect(problem).toMatchObject({ code: "agent.clash", line: 2, column: 7, endLine: 2, endColumn: 13 });
		expect(titles(problem)).toEqual(["Use this file instead: add override: true", 'Rename this agent to "helper-3"']);
		const text = readFileSync(join(repo, ".agents/agents/a.md"), "utf8");
		for (const fix of problem?.fixes ?? []) {
			expect((await discover(home, agents(apply(text, fix)))).problems).toEqual([]);
		}
	});

	it("offer another name to the second of two files", async () => {
		const folder = agents(agentText(), { ".agents/agents/b.md": agentText() });
		const [problem] = (await discoverAgents([{ layer: "repo", path: folder }], someTools)).problems;
		expect(titles(problem)).toEqual(['Rename this agent to "helper-2"']);
	});

	it("change no foreign file", async () => {
		const claude = temporaryFolder({ ".claude/agents/a.md": agentText(), ".claude/agents/b.md": agentText() });
		const [problem] = (await discoverAgents([{ layer: "repo", path: claude }], someTools)).problems;
		expect(problem).toMatchObject({ code: "agent.duplicate", line: 2 });
		expect(problem).not.toHaveProperty("fixes");
	});
});
