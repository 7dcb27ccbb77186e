import { describe, expect, it } from "vitest";
import { brief, readDialect } from "./readDialect.ts";

const file = (lines: string, path = "reviewer.md") =>
	readDialect("opencode", `---\ndescription: Reviews.\n${lines}\n---\nYou review.\n`, path);
const changes = ["edit_file", "write_file"];
const commands = ["shell", "shell_start", "shell_status", "shell_kill"];

describe("an agent of OpenCode", () => {
	it("comes with every field of version 1 that has a counterpart, and keeps the rest as it was", async () => {
		const { agent, problems } = await file(
			[
				"mode: subagent",
				"model: anthropic/claude-sonnet-4-5",
				"variant: high",
				"temperature: 0.1",
				"steps: 20",
				"color: '#ff0000'",
				"tools: { write: false, bash: false }",
				"reasoningEffort: high",
			].join("\n"),
			"team/reviewer.md",
		);
		expect(problems).toEqual([]);
		expect(agent).toMatchObject({
			dialect: "opencode",
			name: "team-reviewer",
			model: "anthropic/claude-sonnet-4-5",
			thinking: "high",
			maxTurns: 20,
			color: "#ff0000",
			disallowedTools: [...changes, ...commands],
			extra: { mode: "subagent", temperature: 0.1, steps: 20, reasoningEffort: "high" },
		});
		expect(agent?.extra).not.toHaveProperty("model");
	});

	it("comes with the permissions of version 2, of which the last that fits decides", async () => {
		const { agent, problems } = await file(`permissions:
  - { action: "edit", resource: "*", effect: deny }
  - { action: "bash", resource: "*", effect: deny }
  - { action: "bash", resource: "*", effect: ask }`);
		expect(problems).toEqual([]);
		expect(agent?.disallowedTools).toEqual(changes);
	});

	it.each([
		["permission: { edit: deny, bash: ask, webfetch: allow }", { disallowedTools: changes }],
		["permission: { bash: { '*': deny } }", { disallowedTools: commands }],
		["tools: { edit: false }\npermission: { edit: allow }", {}],
		["tools: { read: true, grep: true }", {}],
		["tools: { '*': false, read: true, grep: true }", { tools: ["read_file", "grep"] }],
		["permission: deny", { tools: [] }],
		["permission: { '*': deny, read: allow, task: allow }", { tools: ["read_file", "sessions_spawn"] }],
		["tools: [read, bash]", { tools: ["read_file", ...commands] }],
		["permission: { my_server_tool: deny }", { disallowedTools: ["my_server_tool"] }],
	])("has the tools that are left: %s", async (lines, expected) => {
		const { agent, problems } = await file(lines);
		expect(problems).toEqual([]);
		const { tools, disallowedTools } = agent ?? {};
		expect({ ...(tools && { tools }), ...(disallowedTools && { disallowedTools }) }).toEqual(expected);
	});

	it.each([
		["permission: { bash: ask, edit: deny }", ["shell"]],
		["permission: { '*': ask, webfetch: allow, read: ask }", ["edit_file", "shell", "web_search"]],
		["permission: { '*': deny, edit: ask }", ["edit_file"]],
		["permission: { bash: ask }\npermissions: [{ action: '*', effect: allow }]", undefined],
	])("asks for what it asks for there, as far as it is no reading: %s", async (lines, expected) => {
		expect((await file(lines)).agent?.askedTools).toEqual(expected);
	});

	it.each([
		["permission: { bash: { 'rm *': deny } }", "warning agent.toolPattern 3"],
		["tools: { docker: true }", "warning agent.unknownTool 3"],
		["mode: primary", "information agent.primary 3"],
	])("loads with a note: %s", async (line, note) => {
		const parsed = await file(line);
		expect(brief(parsed)).toEqual([note]);
		expect(parsed.agent).toBeDefined();
	});

	it("says nothing of patterns that only allow", async () => {
		expect(brief(await file("permission: { bash: { 'git diff': allow } }"))).toEqual([]);
	});

	it.each(["hidden: true", "mode: primary"])("is internal with %s", async (line) => {
		expect((await file(line)).agent?.visibility).toBe("internal");
	});

	it.each(["disable: true", "disabled: true"])("is not loaded with %s, and that is said", async (line) => {
		const parsed = await file(line);
		expect(parsed.agent).toBeUndefined();
		expect(brief(parsed)).toEqual(["information agent.disabled 1"]);
	});

	it("takes its prompt from the frontmatter when there is no text below", async () => {
		const parsed = await readDialect("opencode", "---\ndescription: b\nprompt: You help.\n---\n");
		expect(parsed.agent?.prompt).toBe("You help.");
	});

	it("is refused when none of the tools that are left exists here", async () => {
		expect(brief(await file("tools: { '*': false, docker: true }"))).toEqual(["error agent.noTools 3"]);
	});

	it("does not stumble over a rule that is no rule", async () => {
		expect(
			(await file("permission: { bash: { x: { toString: 1 } } }\npermissions: [1, { action: [] }]")).agent,
		).toBeDefined();
	});
});
