import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { parseAgentFile } from "../../../../src/core/agents/agentFile.ts";
import { discoverAgents } from "../../../../src/core/agents/discoverAgents.ts";
import { stockFiles } from "../../../../src/core/agents/stockAgents.ts";
import { knownTools } from "../../../../src/core/tools/knownTools.ts";
import { temporaryFolder } from "../../../fakes/temporaryFolder.ts";
import { agentText } from "./agentText.ts";

const parse = (text: string) => parseAgentFile({ layer: "repo", file: "/repo/any.md" }, text, knownTools);
const agents = (files: Readonly<Record<string, string>>) =>
	temporaryFolder(Object.fromEntries(Object.entries(files).map(([name, text]) => [`.agents/agents/${name}`, text])));
const discover = (repo: string, home?: string) =>
	discoverAgents(
		[...(home === undefined ? [] : [{ layer: "home", path: home } as const]), { layer: "repo", path: repo }],
		knownTools,
	);

/** The example of the proposal that this format comes from, word for word. */
const seedExample = `---
name: research-assistant
description: >
  Use when the user needs deep web research, multiple sources, or citation.
  Spawn with a focused task. Returns a cited summary, not a transcript.
tools: [web_search, web_fetch, file_read, attach_file]
modelRole: Compaction
timeoutSeconds: 120
visibility: user-facing
emitStructuredFindings: false
---

You are a research assistant. Your job is to help the user by searching
the web, gathering information from multiple sources, and synthesizing
findings into clear, well-organized summaries.

## Guidelines
...
`;

const rules: readonly (readonly [id: string, rule: string, check: () => Promise<void>])[] = [
	[
		"S3-01",
		"takes the .md files of the folder itself in ordinal order, and leaves others without a word",
		async () => {
			const texts = ["c", "a", "b"].map((name) => [`${name}.md`, agentText("", { name })]);
			const more = { "notes.txt": "x", "a.json": "{}", "sub/d.md": agentText("", { name: "d" }), "E.MD": "x" };
			const found = await discover(agents({ ...Object.fromEntries(texts), ...more }));
			expect(found.agents.map(({ name }) => name)).toEqual(["a", "b", "c"]);
			expect(found.problems).toEqual([]);
		},
	],
	[
		"S3-01",
		"has no agents in a folder that is missing or empty, and tells which it is",
		async () => {
			const folder = temporaryFolder({ ".agents/agents/readme.txt": "x" });
			const native = ({ folders }: Awaited<ReturnType<typeof discover>>) =>
				folders.find(({ dialect }) => dialect === "native");
			expect(native(await discover(folder))).toMatchObject({ isThere: true, fileCount: 0 });
			expect(native(await discover(temporaryFolder()))).toMatchObject({ isThere: false, fileCount: 0 });
		},
	],
	[
		"S3-02",
		"wants `---` at the beginning and a line that is exactly `---` at the end, in any line ends, with or without BOM",
		async () => {
			const { agent } = await parse(`\uFEFF${agentText("color: red").replaceAll("\n", "\r\n")}`);
			expect(agent).toMatchObject({ color: "red", prompt: "You help.\r\n" });
			for (const text of [` ${agentText()}`, agentText().replace("\n---\n", "\n--- \n"), "You help."]) {
				expect((await parse(text)).agent).toBeUndefined();
			}
		},
	],
	[
		"S3-02",
		"keeps the body as it is, without templates, and (by the specification) refuses unknown keys",
		async () => {
			const body = "\n\n  {{name}} $1 %s \n\n";
			expect((await parse(agentText("", { body: `${body}x` }))).agent?.prompt).toBe(`${body}x`);
			expect((await parse(agentText("unknown: 1"))).problems).toMatchObject([{ code: "agent.unknownKey" }]);
		},
	],
	[
		"S3-02",
		"reports line and column of what is wrong",
		async () => {
			const [problem] = (await parse(agentText("tools: [grep, 3]"))).problems;
			expect(problem).toMatchObject({ line: 4, column: 15, endLine: 4, endColumn: 16 });
		},
	],
	[
		"S3-03",
		"requires name, description and body, and nothing else; trims; does not care for the file's name",
		async () => {
			const { agent } = await parse('---\nname: " helper "\ndescription: "  Helps. "\n---\nYou help.');
			expect(agent).toMatchObject({ name: "helper", description: "Helps." });
			for (const [text, code] of [
				["---\ndescription: b\n---\nc", "agent.missingField"],
				["---\nname: a\n---\nc", "agent.missingField"],
				['---\nname: a\ndescription: " "\n---\nc', "agent.field"],
				["---\nname: a\ndescription: b\n---\n\n", "agent.emptyBody"],
			] as const) {
				expect((await parse(text)).problems).toMatchObject([{ code }]);
			}
		},
	],
	[
		"S3-04",
		"refuses a word that is none of an enumeration instead of falling back",
		async () => {
			for (const line of ["visibility: hidden", "thinking: lots", "modelRole: '9 lives'", "announce: LOUD"]) {
				expect((await parse(agentText(line))).problems).toMatchObject([{ severity: "error", code: "agent.field" }]);
			}
		},
	],
	[
		"S3-05",
		"loads the good file beside eight bad ones, and names each of these with its reason",
		async () => {
			const bad = {
				"1.md": "",
				"2.md": "no frontmatter",
				"3.md": "---\nname: a",
				"4.md": "---\nname: [\n---\nx",
				"5.md": agentText("tools: [nonsense]"),
				"6.md": agentText("", { body: "" }),
				"7.md": agentText("thinking: lots"),
				"8.md": agentText("", { name: "Not A Name" }),
			};
			const found = await discover(agents({ ...bad, "9.md": agentText("", { name: "good" }) }));
			expect(found.agents.map(({ name }) => name)).toEqual(["good"]);
			expect(found.problems.map(({ file }) => file.split("/").at(-1))).toEqual(Object.keys(bad));
			for (const { severity, message } of found.problems)
				expect([severity, message.endsWith(".")]).toEqual(["error", true]);
		},
	],
	[
		"S3-06",
		"skips an agent with unknown tools and lists all of them; `tools: []` is a mistake; no `tools` is the parent's set",
		async () => {
			const { agent, problems } = await parse(agentText("tools: [read_file, nonsense, twaddle]"));
			expect(agent).toBeUndefined();
			expect(problems.map(({ message }) => /"(\w+)"/u.exec(message)?.[1])).toEqual(["nonsense", "twaddle"]);
			expect((await parse(agentText("tools: []"))).problems).toMatchObject([{ code: "agent.field" }]);
			expect((await parse(agentText())).agent).not.toHaveProperty("tools");
		},
	],
	[
		"S3-06",
		"knows the tools of other programs by their names",
		async () => {
			expect((await parse(agentText("tools: [Bash, Read, Grep, file_read]"))).agent).toBeDefined();
		},
	],
	[
		"S3-07",
		"loads the first of two files with one name, loudly",
		async () => {
			const folder = agents({ "b.md": agentText("color: red"), "a.md": agentText("color: blue") });
			const found = await discover(folder);
			expect(found.agents.map(({ color }) => color)).toEqual(["blue"]);
			expect(found.problems).toMatchObject([{ severity: "error", code: "agent.duplicate" }]);
			expect(found.problems[0]?.message).toContain(join(folder, ".agents/agents/a.md"));
		},
	],
	[
		"R-08",
		"lets the project win only when it says so",
		async () => {
			const home = agents({ "a.md": agentText("color: red") });
			const color = async (repo: string) => (await discover(repo, home)).agents.map((agent) => agent.color);
			expect(await color(agents({ "a.md": agentText("color: blue") }))).toEqual(["red"]);
			expect(await color(agents({ "a.md": agentText("color: blue\noverride: true") }))).toEqual(["blue"]);
		},
	],
	[
		"R-24",
		"reads the format of the seed as it is, in our folder and in Netclaw's own",
		async () => {
			expect(await parse(seedExample)).toMatchObject({
				problems: [],
				agent: {
					name: "research-assistant",
					description:
						"Use when the user needs deep web research, multiple sources, or citation. Spawn with a focused task. Returns a cited summary, not a transcript.",
					tools: ["web_search", "web_fetch", "file_read", "attach_file"],
					modelRole: "Compaction",
					timeoutSeconds: 120,
					visibility: "user-facing",
					emitStructuredFindings: false,
				},
			});
			const found = await discover(temporaryFolder({ ".netclaw/agents/research-assistant.md": seedExample }));
			expect(found).toMatchObject({ agents: [{ dialect: "netclaw", name: "research-assistant" }], problems: [] });
		},
	],
	[
		"S3-21",
		"has three agents to begin with: two of 120 seconds and one of 60",
		async () => {
			const stock = stockFiles.filter(({ agentName }) => agentName !== undefined);
			const parsed = await Promise.all(stock.map(({ contents }) => parse(contents)));
			expect(parsed.map(({ agent, problems }) => [agent?.name, agent?.timeoutSeconds, problems])).toEqual([
				["research-assistant", 120, []],
				["code-analyst", 120, []],
				["summarizer", 60, []],
			]);
		},
	],
	[
		"R5",
		"never waits for a pipe",
		async () => {
			const folder = agents({ "a.md": agentText() });
			execFileSync("mkfifo", [join(folder, ".agents/agents/pipe.md")]);
			const found = await discover(folder);
			expect(found.agents).toHaveLength(1);
			expect(found.problems).toMatchObject([{ code: "agent.notRegular" }]);
		},
	],
];

describe("the rules of agent files", () => {
	it.each(rules)("%s: %s", async (_id, _rule, check) => {
		expect.hasAssertions();
		await check();
	});
});
