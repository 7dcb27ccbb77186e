import { describe, expect, it } from "vitest";
import { brief, readDialect } from "./readDialect.ts";

const file = (lines: string, path = "code-reviewer.agent.md") =>
	readDialect("vscode", `---\ndescription: Reviews.\n${lines}\n---\nYou review.\n`, path);

describe("an agent of VS Code", () => {
	it("comes with every field that has a counterpart, and keeps the rest as it was", async () => {
		const { agent, problems } = await file(
			[
				"name: Code Reviewer",
				"argument-hint: What to review",
				"tools: [read, 'search', edit, web, todo, agent, github/*, io.github.upstash/context7/get-docs]",
				"model: Claude Sonnet 4.5 (copilot)",
				"reasoning-effort: max",
				"agents: ['*']",
				"handoffs: [{ label: Fix, agent: fixer, prompt: Fix it }]",
				"target: vscode",
			].join("\n"),
		);
		expect(problems).toEqual([]);
		expect(agent).toMatchObject({
			dialect: "vscode",
			name: "code-reviewer",
			description: "Reviews.",
			prompt: "You review.\n",
			tools: [
				"read_file",
				"diagnostics",
				"grep",
				"glob",
				"list_dir",
				"edit_file",
				"write_file",
				"web_fetch",
				"web_search",
				"todo",
				"sessions_spawn",
				"mcp__github__*",
				"mcp__io_github_upstash_context7__get-docs",
			],
			model: "vscode/claude-sonnet-4.5",
			thinking: "high",
			extra: {
				name: "Code Reviewer",
				"argument-hint": "What to review",
				model: "Claude Sonnet 4.5 (copilot)",
				"reasoning-effort": "max",
				agents: ["*"],
				handoffs: [{ label: "Fix", agent: "fixer", prompt: "Fix it" }],
				target: "vscode",
			},
		});
	});

	it.each([
		["edit/editFiles", ["edit_file"]],
		["edit/createFile", ["write_file"]],
		["read/problems", ["diagnostics"]],
		["search/textSearch", ["grep"]],
		["search/usages", ["symbols"]],
		["execute/runInTerminal", ["shell", "shell_start"]],
		["execute/getTerminalOutput", ["shell_status"]],
		["web/fetch", ["web_fetch"]],
		["runCommands", ["shell", "shell_start", "shell_status", "shell_kill"]],
	])("has the tool %s as %j", async (tool, ours) => {
		expect((await file(`tools: ['${tool}']`)).agent?.tools).toEqual(ours);
	});

	it("is named by its file when it has no name", async () => {
		expect((await file("tools: [read]", "Team Lead.agent.md")).agent?.name).toBe("team-lead");
	});

	it.each([
		["", {}],
		["user-invocable: false", {}],
		["disable-model-invocation: true", { isForPeopleOnly: true }],
		["infer: false", { isForPeopleOnly: true }],
		["user-invocable: false\ndisable-model-invocation: true", { visibility: "internal" }],
	])("is seen by whom it should be: %j", async (lines, expected) => {
		const { agent } = await file(lines === "" ? "target: vscode" : lines);
		expect({
			...(agent?.isForPeopleOnly && { isForPeopleOnly: true }),
			...(agent?.visibility === "internal" && { visibility: "internal" }),
		}).toEqual(expected);
	});

	it("takes the first of several models", async () => {
		expect((await file("model: ['GPT-5 mini', 'Claude Opus 4.6']")).agent?.model).toBe("vscode/gpt-5-mini");
	});

	it.each([
		["mcp-servers: { evil: { command: sh } }", "warning agent.inert 3"],
		["hooks: { Stop: [{ command: rm }] }", "warning agent.inert 3"],
		["tools: [read, frobnicate]", "warning agent.unknownTool 3"],
		["tools: [read, vscode/extensions, runTests]", "information agent.unofferedTool 3"],
		["model: a | b", "warning agent.unknownModel 3"],
	])("loads with a note: %s", async (line, note) => {
		const parsed = await file(line);
		expect(brief(parsed)).toEqual([note]);
		expect(parsed.agent).toBeDefined();
	});

	it("is for people only when nothing says what it is for", async () => {
		const parsed = await readDialect("vscode", "---\nname: Helper\n---\nYou help.\n", "x.agent.md");
		expect(parsed).toMatchObject({ agent: { name: "helper", description: "", isForPeopleOnly: true } });
		expect(brief(parsed)).toEqual(["warning agent.undescribed 1"]);
	});

	it("can be a prompt and nothing else", async () => {
		const parsed = await readDialect("vscode", "You help.\n", "x.agent.md");
		expect(parsed.agent).toMatchObject({ name: "x", prompt: "You help.\n", isForPeopleOnly: true });
	});

	it.each([
		["C# Expert", "c-sharp-expert"],
		["C++ Expert", "c-plus-plus-expert"],
		["SE: DevOps/CI", "se-devops-ci"],
		["Crème Brûlée", "creme-brulee"],
		["前端专家", "code-reviewer"],
		["a".repeat(80), "a".repeat(64)],
	])("has a name that can be typed: %s → %s", async (name, ours) => {
		expect((await file(`name: ${JSON.stringify(name)}`)).agent?.name).toBe(ours);
	});

	it("is refused when neither its name nor its file's can be typed", async () => {
		expect(await file("name: 前端专家", "前端.agent.md")).toMatchObject({ problems: [{ code: "agent.name" }] });
	});
});
