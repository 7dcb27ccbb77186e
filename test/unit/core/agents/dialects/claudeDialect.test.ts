import { describe, expect, it } from "vitest";
import { brief, readDialect } from "./readDialect.ts";

const file = (lines: string, body = "You review.\n") =>
	readDialect("claude", `---\nname: reviewer\ndescription: Reviews.\n${lines}\n---\n${body}`);

describe("an agent of Claude Code", () => {
	it("comes with every field that has a counterpart, and keeps the rest as it was", async () => {
		const { agent, problems } = await file(
			[
				"tools: Read, Grep, Glob, Bash, mcp__github, mcp__docs__*",
				"disallowedTools: [Write, Edit]",
				"model: opus",
				"effort: xhigh",
				"maxTurns: 12",
				"skills: [release-notes]",
				"mcpServers: [github]",
				"memory: project",
				"background: true",
				"color: blue",
				"initialPrompt: Hello",
				"x-team: { owner: me }",
			].join("\n"),
		);
		expect(problems).toEqual([]);
		expect(agent).toEqual({
			layer: "repo",
			file: "/repo/some-agent.md",
			dialect: "claude",
			name: "reviewer",
			description: "Reviews.",
			visibility: "user-facing",
			prompt: "You review.\n",
			tools: ["read_file", "grep", "glob", "shell", "mcp__github", "mcp__docs__*"],
			disallowedTools: ["write_file", "edit_file"],
			model: "anthropic/claude-opus-5-5",
			thinking: "high",
			maxTurns: 12,
			skills: ["release-notes"],
			mcpServers: ["github"],
			color: "blue",
			extra: {
				tools: "Read, Grep, Glob, Bash, mcp__github, mcp__docs__*",
				disallowedTools: ["Write", "Edit"],
				model: "opus",
				effort: "xhigh",
				memory: "project",
				background: true,
				initialPrompt: "Hello",
				"x-team": { owner: "me" },
			},
		});
	});

	it.each([
		["Task, Agent(a, b)", ["sessions_spawn"]],
		["TodoWrite, TaskCreate, TaskList", ["todo"]],
		["BashOutput, KillShell", ["shell_status", "shell_kill"]],
		["WebFetch WebSearch LS", ["web_fetch", "web_search", "list_dir"]],
		["NotebookEdit, MultiEdit, NotebookRead", ["edit_file", "read_file"]],
		["read, GREP", ["read_file", "grep"]],
		["LSP, Skill", ["symbols", "diagnostics", "skill"]],
		["edit/editFiles, search/codebase, github/*", ["edit_file", "grep", "symbols", "mcp__github__*"]],
	])("has its tools by our names: %s", async (tools, ours) => {
		expect((await file(`tools: ${tools}`)).agent?.tools).toEqual(ours);
	});

	it.each(["tools: '*'", "tools: *", "tools: All tools", "tools:", "tools: inherit"])(
		"has the tools of its parent with %s",
		async (line) => {
			const { agent, problems } = await file(line);
			expect(problems).toEqual([]);
			expect(agent).toBeDefined();
			expect(agent).not.toHaveProperty("tools");
		},
	);

	it("has no tools at all when its list is empty", async () => {
		expect((await file("tools: []")).agent?.tools).toEqual([]);
	});

	it.each([
		["inherit", undefined],
		["sonnet[1m]", "anthropic/claude-sonnet-5-5"],
		["claude-haiku-4-5-20251001", "anthropic/claude-haiku-4-5-20251001"],
		["github-copilot/gpt-5", "github-copilot/gpt-5"],
	])("has the model %s as %s", async (model, reference) => {
		const parsed = await file(`model: ${model}`);
		expect(parsed.problems).toEqual([]);
		expect(parsed.agent?.model).toBe(reference);
	});

	it.each([
		["tools: Read, Frobnicate", "warning agent.unknownTool 4"],
		["tools: Read, AskUserQuestion", "information agent.unofferedTool 4"],
		["tools: Read, Bash(git diff:*)", "information agent.toolPattern 4"],
		["disallowedTools: Bash(rm:*)", "warning agent.toolPattern 4"],
		["permissionMode: bypassPermissions", "warning agent.inert 4"],
		["hooks:\n  Stop: [{ hooks: [{ type: command, command: rm }] }]", "warning agent.inert 5"],
		["mcpServers:\n  - evil: { command: sh }", "warning agent.inert 5"],
		["mcpServers: { evil: { command: sh } }", "warning agent.inert 4"],
		["isolation: worktree", "warning agent.isolation 4"],
		["model: Somebody's best", "warning agent.unknownModel 4"],
		["model: acme/huge", "warning agent.unknownModel 4"],
		["effort: gigantic", "warning agent.field 4"],
		["maxTurns: many", "warning agent.field 4"],
		["tools: { Read: true }", "warning agent.field 4"],
	])("loads with a note: %s", async (lines, note) => {
		const parsed = await file(lines);
		expect(brief(parsed)).toEqual([note]);
		expect(parsed.agent).toBeDefined();
		const key = lines.split(":")[0] ?? "";
		expect(Object.keys({ ...parsed.agent, ...parsed.agent?.extra })).toContain(key);
	});

	it.each(["hooks: []", "hooks: {}", "permissionMode:", "unknown-key: [1, 2]"])(
		"loads without a word: %s",
		async (line) => {
			expect(brief(await file(line))).toEqual([]);
		},
	);

	it("is refused when none of its tools exists here, with all their names and nothing else", async () => {
		const parsed = await file("tools: Frobnicate, AskUserQuestion\nhooks: { Stop: [] }");
		expect(parsed.agent).toBeUndefined();
		expect(brief(parsed)).toEqual(["error agent.noTools 4"]);
		expect(parsed.problems[0]?.message).toContain("Frobnicate, AskUserQuestion");
	});

	it.each([
		["a heading and text", "# Our agents\n\nSee below.\n"],
		["frontmatter without a name", "---\ndescription: Notes.\n---\nText.\n"],
	])("is not what Claude Code takes for a note: %s", async (_what, text) => {
		const parsed = await readDialect("claude", text);
		expect(parsed).toMatchObject({ problems: [{ severity: "information", code: "agent.note" }] });
		expect(parsed.agent).toBeUndefined();
	});
});

describe("frontmatter that is not quite YAML", () => {
	const described = async (description: string) =>
		(await readDialect("claude", `---\nname: a\ndescription: ${description}\ntools: Read\n---\nBody\n`)).agent;

	it.each([
		["Use when: it rains", "Use when: it rains"],
		["It's so: use it", "It's so: use it"],
		['"Quoted" at first, then: not', '"Quoted" at first, then: not'],
		["**Bold** and more", "**Bold** and more"],
		["@someone knows", "@someone knows"],
		["Context: a\\nuser: b", "Context: a\\nuser: b"],
		[
			"First: this\n  and this: too\n\n  <example>\n  user: hi\n  </example>",
			"First: this and this: too\n<example> user: hi </example>",
		],
	])("is read as it was meant: %j", async (written, meant) => {
		expect(await described(written)).toMatchObject({ description: meant, tools: ["read_file"] });
	});

	it("may close a bracket at the margin", async () => {
		const { agent } = await readDialect(
			"claude",
			"---\nname: a\ndescription: b\ntools: [\n  Read,\n  Grep\n]\n---\nBody\n",
		);
		expect(agent?.tools).toEqual(["read_file", "grep"]);
	});

	it.each([
		["an alias", "---\nname: a\ndescription: b\nx: [&y 1, *y]\n---\nBody\n", "agent.alias"],
		["deep nesting", `---\nname: a\nx: ${"[".repeat(5_000)}\n---\nBody\n`, "agent.depth"],
		["a tag", "---\nname: a\ndescription: b\nx: [!foo y]\n---\nBody\n", "agent.yaml"],
		["another language", "---js\n({ name: 'a' })\n---\nBody\n", "agent.noFrontmatter"],
		["a key given twice", "---\nname: a\nname: b\ndescription: c\n---\nBody\n", "agent.yaml"],
		["hidden characters", "---\nname: a\ndescription: b\n---\nBo\u2066dy\n", "agent.hiddenCharacters"],
		["no text below it", "---\nname: a\ndescription: b\n---\n \n", "agent.emptyBody"],
	])("is refused with %s", async (_what, text, code) => {
		const parsed = await readDialect("claude", text);
		expect(parsed.agent).toBeUndefined();
		expect(parsed.problems).toMatchObject([{ severity: "error", code }]);
	});
});
