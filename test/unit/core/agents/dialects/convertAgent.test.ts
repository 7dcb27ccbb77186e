import { readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { discoverAgents } from "../../../../../src/core/agents/discoverAgents.ts";
import { applyTextEdits } from "../../../../../src/core/base/textEdit.ts";
import { knownTools } from "../../../../../src/core/tools/knownTools.ts";
import { temporaryFolder } from "../../../../fakes/temporaryFolder.ts";

const body = "\n# You review\n\nWrite `---` and  two blanks. \n\n---\n\nNo line end";
const markdown = (lines: string) => `---\n${lines}\n---\n${body}`;

/** A file in `.agents/agents`, and what takes its fixes. */
function moved(name: string, text: string) {
	const root = temporaryFolder({ [`.agents/agents/${name}`]: text });
	const folder = join(root, ".agents/agents");
	const discover = () => discoverAgents([{ layer: "repo", path: root }], knownTools);
	const convert = async () => {
		const { problems } = await discover();
		const fixes = problems.flatMap((problem) => problem.fixes ?? []);
		const fix = fixes.find(({ title }) => title.startsWith("Convert from"));
		if (fix === undefined || !("edits" in fix)) throw new Error("There is no such fix");
		const file = join(folder, name);
		writeFileSync(file, applyTextEdits(readFileSync(file, "utf8"), fix.edits));
		if ("rename" in fix) renameSync(fix.rename.from, fix.rename.to);
		return readFileSync("rename" in fix ? fix.rename.to : file, "utf8");
	};
	return { discover, convert };
}

const foreign = [
	{
		title: "Claude Code",
		file: "code-reviewer.md",
		text: markdown(
			"name: Code Reviewer\ndescription: Use when: code changed\n# why not\ntools: Read, Bash(git diff:*)\nmodel: sonnet\npermissionMode: acceptEdits\nhooks:\n  Stop:\n    - command: beep\neffort: high\ncolor: red",
		),
		agent: { name: "code-reviewer", description: "Use when: code changed", thinking: "high", color: "red" },
		kept: [
			"# name: Code Reviewer",
			"# why not",
			"# permissionMode: acceptEdits",
			"#     - command: beep",
			"color: red",
		],
	},
	{
		title: "VS Code",
		file: "planner.agent.md",
		text: markdown(
			"description: Plans\ntools: ['search/codebase', 'edit']\nmodel: Claude Sonnet 4.5 (copilot)\nhandoffs: [{ label: Go, agent: agent, prompt: Go on }]",
		),
		agent: { name: "planner", description: "Plans", model: "vscode/claude-sonnet-4.5" },
		kept: ["# handoffs: [{ label: Go, agent: agent, prompt: Go on }]", "# model: Claude Sonnet 4.5 (copilot)"],
	},
	{
		title: "OpenCode",
		file: "reviewer.md",
		text: markdown(
			"description: Reviews\nmode: subagent\ntemperature: 0.1\npermission:\n  edit: deny\n  bash:\n    'git push': ask\nsteps: 7",
		),
		agent: { name: "reviewer", disallowedTools: ["edit_file", "write_file"], maxTurns: 7 },
		kept: ["# mode: subagent", "# temperature: 0.1", "#     'git push': ask", "# steps: 7"],
	},
	{
		title: "Cursor",
		file: "looker.md",
		text: markdown("name: looker\ndescription: Looks\nmodel: inherit\nreadonly: true\nis_background: true"),
		agent: { name: "looker", disallowedTools: ["write_file", "edit_file", "shell", "shell_start"] },
		kept: ["# readonly: true", "# is_background: true", "# model: inherit"],
	},
	{
		title: "Codex",
		file: "fixer.toml",
		text: `name = "fixer"\ndescription = "Fixes"\nsandbox_mode = "read-only"\nmodel_reasoning_effort = "high"\nnickname_candidates = ["a"]\ndeveloper_instructions = '''${body}'''\n`,
		agent: { name: "fixer", thinking: "high", disallowedTools: ["write_file", "edit_file", "shell", "shell_start"] },
		kept: ['# sandbox_mode: "read-only"', '# nickname_candidates: ["a"]'],
		// TOML drops the first line break of such a text.
		prompt: body.slice(1),
	},
	{
		title: "Cline",
		file: "helper.yaml",
		text: markdown(
			"name: helper\ndescription: Helps\nmodelId: claude-sonnet-5-5\nproviderId: anthropic\nmaxIterations: 9",
		),
		agent: { name: "helper", model: "anthropic/claude-sonnet-5-5", maxTurns: 9 },
		kept: ["# modelId: claude-sonnet-5-5", "# providerId: anthropic", "# maxIterations: 9"],
	},
	{
		title: "Netclaw",
		file: "worker.md",
		text: markdown(
			"name: worker\ndescription: Works\ntools: [file_read, shell_execute]\nvisibility: UserFacing\nprefillTimeoutSeconds: 900\ntimeoutSeconds: 60",
		),
		agent: { name: "worker", visibility: "user-facing", timeoutSeconds: 60, tools: ["read_file", "shell"] },
		kept: ["# visibility: UserFacing", "# prefillTimeoutSeconds: 900", "timeoutSeconds: 60"],
	},
];

describe("an agent of another program that was moved into .agents/agents", () => {
	it.each(foreign)("of $title is called so, and loads without an error once it is converted", async (example) => {
		const { title, file, text, agent, prompt = body } = example;
		const { discover, convert } = moved(file, text);
		const before = await discover();
		expect(before.agents).toEqual([]);
		expect(before.problems.map(({ message }) => message).join("\n")).toContain(`looks like an agent of ${title}`);
		await convert();
		const after = await discover();
		expect(after.problems.filter(({ severity }) => severity === "error")).toEqual([]);
		expect(after.agents).toMatchObject([{ ...agent, dialect: "native", prompt }]);
	});

	it.each(foreign)(
		"of $title keeps what has no field here as comments beside the rest",
		async ({ file, text, kept }) => {
			const lines = (await moved(file, text).convert()).split("\n");
			for (const line of kept) expect(lines).toContain(line);
		},
	);

	it("keeps its line ends", async () => {
		const text = markdown("name: a\ndescription: b\npermissionMode: plan").replaceAll("\n", "\r\n");
		expect((await moved("a.md", text).convert()).replaceAll("\r\n", "")).not.toMatch(/\n/u);
	});

	it.each([
		[
			"a Codex file under a Markdown name",
			"a.md",
			"name = 'a'\ndescription = 'b'\ndeveloper_instructions = 'c'\n",
			"c",
		],
		["a prompt of VS Code without frontmatter", "a.agent.md", "You plan.\n", "You plan.\n"],
		[
			"a prompt in OpenCode's frontmatter",
			"a.md",
			"---\nmode: subagent\nprompt: |\n  You\n  look.\n---\n",
			"You\nlook.",
		],
	])("is converted too when it is %s", async (_what, file, text, prompt) => {
		const { discover, convert } = moved(file, text);
		await convert();
		expect((await discover()).agents).toMatchObject([{ name: "a", prompt }]);
	});

	it("is not suspected where an author of ours has mistyped", async () => {
		const { problems } = await moved("a.md", markdown("name: a\ndescription: b\ntools: [gerp]")).discover();
		expect(problems.map(({ message }) => message).join()).not.toContain("looks like");
	});

	it("is not switched on by a conversion, where its own program has it off", async () => {
		const { problems } = await moved("a.md", markdown("description: b\nmode: subagent\ndisable: true")).discover();
		expect(problems.flatMap(({ fixes = [] }) => fixes.map(({ title }) => title)).join()).not.toContain("Convert");
	});

	it.each([
		["settings.toml", "name = 'a'\n"],
		["notes.yaml", "a: b\n"],
		["notes.yml", "---\nnothing: here\n---\n"],
	])("is nothing that anybody hears of when it is no agent: %s", async (file, text) => {
		expect((await moved(file, text).discover()).problems).toEqual([]);
	});
});
