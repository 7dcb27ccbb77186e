import { describe, expect, it } from "vitest";
import { brief, readDialect } from "./readDialect.ts";

const readOnly = ["write_file", "edit_file", "shell", "shell_start"];

describe("an agent of Cursor", () => {
	const file = (lines: string) => readDialect("cursor", `---\ndescription: Reviews.\n${lines}\n---\nYou review.\n`);

	it("comes with every field that has a counterpart, and keeps the rest as it was", async () => {
		const { agent, problems } = await file(
			"name: Reviewer\nmodel: gpt-5.5[effort=high]\nreadonly: true\nis_background: true",
		);
		expect(problems).toEqual([]);
		expect(agent).toMatchObject({
			dialect: "cursor",
			name: "reviewer",
			model: "openai/gpt-5.5",
			disallowedTools: readOnly,
			extra: { name: "Reviewer", model: "gpt-5.5[effort=high]", readonly: true, is_background: true },
		});
	});

	it("is named by its file when it has no name, and may name tools as others do", async () => {
		const { agent } = await file("model: inherit\ntools: Read, Shell, ReadLints");
		expect(agent).toMatchObject({ name: "some-agent", tools: ["read_file", "shell", "diagnostics"] });
		expect(agent).not.toHaveProperty("model");
	});
});

describe("an agent of Codex", () => {
	const file = (lines: string) =>
		readDialect(
			"codex",
			`name = "explorer"\ndescription = "Explores."\ndeveloper_instructions = """\nYou explore.\n"""\n${lines}\n`,
			"explorer.toml",
		);

	it("comes with every field that has a counterpart, and keeps the rest as it was", async () => {
		const { agent, problems } = await file(
			'model = "gpt-5.4"\nmodel_reasoning_effort = "xhigh"\nsandbox_mode = "read-only"\nnickname_candidates = ["Ada"]',
		);
		expect(problems).toEqual([]);
		expect(agent).toEqual({
			layer: "repo",
			file: "/repo/explorer.toml",
			dialect: "codex",
			name: "explorer",
			description: "Explores.",
			visibility: "user-facing",
			prompt: "You explore.\n",
			model: "openai/gpt-5.4",
			thinking: "high",
			disallowedTools: readOnly,
			extra: {
				model: "gpt-5.4",
				model_reasoning_effort: "xhigh",
				sandbox_mode: "read-only",
				nickname_candidates: ["Ada"],
			},
		});
	});

	it("runs on the provider that it names", async () => {
		expect((await file('model = "llama"\nmodel_provider = "ollama"')).agent?.model).toBe("ollama/llama");
	});

	it.each([
		['sandbox_mode = "danger-full-access"', "warning agent.inert 6"],
		['approval_policy = "never"', "warning agent.inert 6"],
		['[mcp_servers.evil]\ncommand = "sh"', "warning agent.inert 6"],
	])("loads with a note: %s", async (lines, note) => {
		const parsed = await file(lines);
		expect(brief(parsed)).toEqual([note]);
		expect(parsed.agent).toBeDefined();
	});

	it.each([
		["invalid TOML", 'name = "a"\nname = "b"', "agent.toml"],
		["no instructions", 'name = "a"\ndescription = "b"', "agent.emptyBody"],
		["20,000 dotted keys", `${Array(20_000).fill("a").join(".")} = 1`, "agent.depth"],
		["20,000 brackets", `a = ${"[".repeat(20_000)}`, "agent.toml"],
		["hidden characters", 'name = "a\u202E"', "agent.hiddenCharacters"],
		["a NUL byte", 'name = "a\0"', "agent.encoding"],
		["300 KB", `# ${"x".repeat(300_000)}`, "agent.tooLarge"],
		["nothing", "", "agent.empty"],
	])("is refused with %s", async (_what, text, code) => {
		const parsed = await readDialect("codex", text, "a.toml");
		expect(parsed.agent).toBeUndefined();
		expect(parsed.problems).toMatchObject([{ severity: "error", code }]);
	});

	it("says where its TOML is wrong", async () => {
		const parsed = await readDialect("codex", 'name = "a"\nname = "b"', "a.toml");
		expect(parsed.problems).toMatchObject([{ line: 2, column: expect.any(Number), endLine: 2 }]);
	});

	it("changes no object by a key named __proto__", async () => {
		const { agent } = await file("[__proto__]\npolluted = true");
		expect("polluted" in {}).toBe(false);
		expect(Object.keys(agent?.extra ?? {})).toEqual(["__proto__"]);
	});
});

describe("an agent of Cline", () => {
	it("comes with every field that has a counterpart, and keeps the rest as it was", async () => {
		const { agent, problems } = await readDialect(
			"cline",
			"---\nname: Reviewer\ndescription: Final gate: reviews.\ntools:\n  - read_files\n  - search_codebase\n  - run_commands\nskills: a, b\nproviderId: anthropic\nmodelId: claude-opus-4-6\nmaxIterations: 18\n---\nYou review.\n",
			"reviewer.yaml",
		);
		expect(problems).toEqual([]);
		expect(agent).toMatchObject({
			dialect: "cline",
			name: "reviewer",
			description: "Final gate: reviews.",
			tools: ["read_file", "list_dir", "grep", "glob", "shell"],
			skills: ["a", "b"],
			model: "anthropic/claude-opus-4-6",
			maxTurns: 18,
			extra: { name: "Reviewer", providerId: "anthropic", modelId: "claude-opus-4-6", maxIterations: 18 },
		});
	});

	it.each([
		["providerId: cline\nmodelId: openai/gpt-5.5", "cline/openai/gpt-5.5"],
		["providerId: cline-pass\nmodelId: cline-pass/glm-5.2", "cline-pass/glm-5.2"],
		["modelId: claude-opus-4-6", "anthropic/claude-opus-4-6"],
	])("runs on the provider that it names: %j", async (lines, model) => {
		const { agent } = await readDialect("cline", `---\nname: a\ndescription: b\n${lines}\n---\nBody\n`, "a.yml");
		expect(agent?.model).toBe(model);
	});

	it.each([
		["read_file, write_to_file, replace_in_file", ["read_file", "write_file", "edit_file"]],
		["execute_command, search_files, list_files", ["shell", "grep", "list_dir", "glob"]],
		["list_code_definition_names, use_skill, use_subagents", ["symbols", "skill", "sessions_spawn"]],
	])("has its tools by our names: %s", async (tools, ours) => {
		const { agent } = await readDialect("cline", `---\nname: a\ndescription: b\ntools: ${tools}\n---\nBody\n`, "a.yml");
		expect(agent?.tools).toEqual(ours);
	});
});

describe("an agent of Netclaw", () => {
	const file = (lines: string) =>
		readDialect("netclaw", `---\nname: worker\ndescription: Works.\n${lines}\n---\nYou work.\n`);

	it("comes with every field, in whatever case its words are (S3-04)", async () => {
		const { agent, problems } = await file(
			"tools: [file_read, file_list, shell_execute]\nmodelRole: compaction\ntimeoutSeconds: 60\nvisibility: UserFacing\nemitStructuredFindings: true\nprefillTimeoutSeconds: 900",
		);
		expect(problems).toEqual([]);
		expect(agent).toMatchObject({
			dialect: "netclaw",
			tools: ["read_file", "list_dir", "shell"],
			modelRole: "Compaction",
			timeoutSeconds: 60,
			visibility: "user-facing",
			emitStructuredFindings: true,
			extra: { modelRole: "compaction", visibility: "UserFacing", prefillTimeoutSeconds: 900 },
		});
	});

	it.each(["modelRole: Biggest", "visibility: hidden"])("is refused with %s (S3-04)", async (line) => {
		expect(brief(await file(line))).toEqual(["error agent.field 4"]);
	});
});
