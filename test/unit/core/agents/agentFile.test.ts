import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseAgentFile } from "../../../../src/core/agents/agentFile.ts";
import { knownTools } from "../../../../src/core/tools/knownTools.ts";
import { agentText, someTools } from "./agentText.ts";

const origin = { layer: "repo", file: "/repo/.agents/agents/helper.md" } as const;
const parse = (source: string | Uint8Array) => parseAgentFile(origin, source, someTools);

/** What confuses parsers of frontmatter. */
const pieces = [
	"---\n",
	"---",
	"\n",
	"name: a",
	"description: b",
	"tools: [",
	"]",
	"{",
	"&a",
	"*a",
	"- ",
	": ",
	"'",
	'"',
	"|",
	">",
	"#",
	"!!js ",
	"\t",
	"  ",
	"\0",
	"é",
	"__proto__: x\n",
];

async function problemsOf(source: string | Uint8Array) {
	const { agent, problems } = await parse(source);
	expect(agent).toBeUndefined();
	return problems;
}

describe("parseAgentFile", () => {
	it("reads every field", async () => {
		const lines = [
			"tools: [read_file, grep]",
			"disallowedTools: [shell]",
			"model: demo/demo",
			"modelRole: Compaction",
			"thinking: high",
			"timeoutSeconds: 60",
			"runTimeoutSeconds: 0",
			"maxTurns: 5",
			"visibility: internal",
			"role: backend",
			"skills: [release-notes]",
			"mcpServers: [context7]",
			"planMode: true",
			"isolation: scratch",
			"announce: full",
			"emitStructuredFindings: true",
			"budget: { tokens: 1000, usd: 0.5, turns: 3, toolCalls: 9, spawns: 1 }",
			"onAsk: deny",
			"override: true",
			"color: blue",
		];
		const { agent, problems } = await parse(agentText(lines.join("\n")));
		expect(problems).toEqual([]);
		expect(agent).toEqual({
			...origin,
			dialect: "native",
			name: "helper",
			description: "Helps.",
			prompt: "You help.\n",
			tools: ["read_file", "grep"],
			disallowedTools: ["shell"],
			model: "demo/demo",
			modelRole: "Compaction",
			thinking: "high",
			timeoutSeconds: 60,
			runTimeoutSeconds: 0,
			maxTurns: 5,
			visibility: "internal",
			role: "backend",
			skills: ["release-notes"],
			mcpServers: ["context7"],
			planMode: true,
			isolation: "scratch",
			announce: "full",
			emitStructuredFindings: true,
			budget: { tokens: 1000, usd: 0.5, turns: 3, toolCalls: 9, spawns: 1 },
			onAsk: "deny",
			override: true,
			color: "blue",
		});
	});

	it("fills in nothing but the visibility", async () => {
		const { agent } = await parse(agentText());
		expect(Object.keys(agent ?? {}).toSorted()).toEqual([
			"description",
			"dialect",
			"file",
			"layer",
			"name",
			"prompt",
			"visibility",
		]);
		expect(agent?.visibility).toBe("user-facing");
	});

	it("trims a folded description", async () => {
		const text = "---\nname: a\ndescription: >\n  Use when: the user\n  asks *nicely*.\n---\nYou help.";
		expect((await parse(text)).agent?.description).toBe("Use when: the user asks *nicely*.");
	});

	it.each([
		["\n# Title\n\n---\nnot a fence\n", "---\nname: a\ndescription: b\n---\n\n# Title\n\n---\nnot a fence\n"],
		["\r\nA\r\n\r\n  B  ", "---\r\nname: a\r\ndescription: b\r\n---\r\n\r\nA\r\n\r\n  B  "],
		["abc שלום 👨‍👩‍👧\u2028x", "\uFEFF---\nname: a\ndescription: b\n---\nabc שלום 👨‍👩‍👧\u2028x"],
		["{{x}} $1 \\n <!-- y -->", "---\nname: a\ndescription: b\n---\n{{x}} $1 \\n <!-- y -->"],
	])("keeps the body byte for byte: %j", async (body, text) => {
		expect((await parse(Buffer.from(text))).agent?.prompt).toBe(body);
	});

	it.each(["js", "javascript", "coffee", "json", " js", "yaml"])(
		"never runs what follows ---%s (A05)",
		async (language) => {
			const code = 'globalThis.musterWasHere = true, { name: "a", description: "b" }';
			const [problem] = await problemsOf(`---${language}\n${code}\n---\nBody`);
			expect(problem).toMatchObject({ code: "agent.noFrontmatter", severity: "error", line: 1, file: origin.file });
			expect("musterWasHere" in globalThis).toBe(false);
		},
	);

	it("refuses an alias bomb at once (A10)", async () => {
		const lines = ["a: &a [x, x, x]"];
		for (let level = 1; level < 10; level++) {
			const previous = String.fromCharCode(96 + level);
			const alias = `*${previous}`;
			lines.push(
				`${String.fromCharCode(97 + level)}: &${String.fromCharCode(97 + level)} [${Array(9).fill(alias).join(", ")}]`,
			);
		}
		expect(await problemsOf(agentText(lines.join("\n")))).toMatchObject([{ code: "agent.alias", line: 4 }]);
	});

	it("refuses deep nesting, a NUL byte and 10 MB (A08, A09, A30)", async () => {
		const mapping = Array.from({ length: 300 }, (_, depth) => `${" ".repeat(depth)}a:`).join("\n");
		expect(await problemsOf(agentText(mapping))).toMatchObject([{ code: "agent.depth" }]);
		expect(await problemsOf(agentText(`tools: ${"[".repeat(20_000)}`))).toMatchObject([{ code: "agent.depth" }]);
		expect(await problemsOf(agentText("", { body: "a\0b" }))).toMatchObject([{ code: "agent.encoding" }]);
		expect(await problemsOf(Buffer.alloc(10_000_000, "-"))).toMatchObject([{ code: "agent.tooLarge" }]);
	});

	it.each([
		["a key given twice (A12)", "tools: [grep]\ntools: [shell]", 5],
		["a custom tag (A14)", "color: !foo red", 4],
		["a tag that makes functions (A14)", 'color: !!js/function "x"', 4],
		["indentation by tab (A16)", "budget:\n\ttokens: 1", 5],
	])("refuses %s and names the line", async (_what, lines, line) => {
		expect(await problemsOf(agentText(lines))).toMatchObject([{ code: "agent.yaml", line }]);
	});

	it("refuses a second document (A15)", async () => {
		expect(await problemsOf(agentText("...\ncolor: red"))).toMatchObject([{ code: "agent.yaml" }]);
	});

	it("advises quotes for an unquoted colon (A17)", async () => {
		const [problem] = await problemsOf("---\nname: a\ndescription: Use when: it rains\n---\nBody");
		expect(problem).toMatchObject({ code: "agent.yaml", line: 3 });
		expect(problem?.message).toContain("needs quotes");
	});

	it.each(["__proto__: { polluted: true }", "constructor: x", "prototype: x"])(
		"refuses %s, and no object changes (A13)",
		async (line) => {
			expect(await problemsOf(agentText(line))).toMatchObject([{ code: "agent.unknownKey", line: 4 }]);
			expect("polluted" in {}).toBe(false);
		},
	);

	it.each(["permissionMode: bypass", "hooks: {}", "autoApprove: true"])("refuses %s (A23)", async (line) => {
		expect(await problemsOf(agentText(line))).toMatchObject([{ code: "agent.forbiddenKey", line: 4 }]);
	});

	it("names the field that an unknown one was probably meant to be", async () => {
		const [problem] = await problemsOf(agentText("timeoutSecond: 5"));
		expect(problem?.message).toBe('There is no field "timeoutSecond". Did you mean "timeoutSeconds"?');
	});

	it.each([
		"timeoutSeconds: -1",
		'timeoutSeconds: "10m"',
		"timeoutSeconds: 1.5",
		"timeoutSeconds: .inf",
		"timeoutSeconds: NaN",
		"timeoutSeconds: 0x10",
		"runTimeoutSeconds: true",
		"maxTurns: 0",
		"thinking: max",
		"thinking:",
		"visibility: hidden",
		"isolation: docker",
		"announce: loud",
		"onAsk: allow",
		"planMode: yes please",
		"override: 1",
		"tools: []",
		"tools: [3]",
		"tools: { read_file: true }",
		"model: http://evil/v1",
		"model: gpt",
		"role: Back End",
		"budget: 5",
		"budget: { tokens: 0 }",
		"mcpServers: [{ evil: { command: sh } }]",
	])("refuses %s, naming field and line (A24, A25)", async (line) => {
		const field = line.split(":")[0] ?? "";
		const [problem] = await problemsOf(agentText(line));
		expect(problem).toMatchObject({ code: "agent.field", line: 4 });
		expect(problem?.message).toContain(`"${field}`);
	});

	it.each(["3", "../x", "a".repeat(200), "My Agent", "Reviewer", "соdе", "-a", "a--b", '""'])(
		"refuses the name %s (A18)",
		async (name) => {
			expect(await problemsOf(agentText("", { name }))).toMatchObject([{ code: "agent.field", line: 2 }]);
		},
	);

	it("says what is missing, all at once", async () => {
		const problems = await problemsOf("---\nthinking: max\n---\n \n");
		expect(problems.map(({ code, line }) => [code, line])).toEqual([
			["agent.missingField", 1],
			["agent.missingField", 1],
			["agent.field", 2],
			["agent.emptyBody", 3],
		]);
	});

	it.each(["", "just text", "- a list"])("refuses frontmatter that is %j", async (frontmatter) => {
		const [problem] = await problemsOf(`---\n${frontmatter}\n---\nBody`);
		expect(problem?.severity).toBe("error");
	});

	it("names each unknown tool with the nearest known one, or with all (A20)", async () => {
		const problems = await problemsOf(agentText("tools: [read_file, raed_file, Kubernetes]"));
		expect(problems).toMatchObject([
			{ code: "agent.unknownTool", line: 4, message: 'There is no tool named "raed_file". Did you mean "read_file"?' },
			{ code: "agent.unknownTool", line: 4, message: expect.stringContaining("Known tools: read_file, list_dir") },
		]);
	});

	it("lets unknown tools be denied, and mentions what looks like a slip of the pen", async () => {
		const { agent, problems } = await parse(agentText("disallowedTools: [Kubernetes, shel, gateway]"));
		expect(agent?.disallowedTools).toEqual(["Kubernetes", "shel", "gateway"]);
		expect(problems).toMatchObject([
			{ severity: "information", code: "agent.unknownTool", message: expect.stringContaining('"shell"') },
		]);
	});

	it("loads tools with patterns, under any name, and refuses a pattern that can't be read in either list", async () => {
		const read = (line: string) => parseAgentFile(origin, agentText(line), knownTools);
		const line = "tools: [Bash(git diff *), read_file(docs/**)]\ndisallowedTools: [shell(rm *)]";
		const { agent, problems } = await read(line);
		expect(agent).toMatchObject({
			tools: ["Bash(git diff *)", "read_file(docs/**)"],
			disallowedTools: ["shell(rm *)"],
		});
		expect(problems).toEqual([]);
		for (const [wrong, code, column] of [
			["tools: [grep, shell()]", "agent.toolPattern", 15],
			["disallowedTools: [shell(rm]", "agent.toolPattern", 19],
			["disallowedTools: [todo(x)]", "agent.toolPattern", 19],
			["tools: [shel(rm *)]", "agent.unknownTool", 9],
		] as const) {
			expect(await read(wrong)).toMatchObject({ problems: [{ severity: "error", code, line: 4, column }] });
		}
	});

	it.each(["memory_search", "memory_write", "gateway", "cron", "sessions_delete"])(
		"notes that %s is known elsewhere, and loads the agent",
		async (name) => {
			const { agent, problems } = await parse(agentText(`tools: [read_file, ${name}]`));
			expect(agent?.tools).toEqual(["read_file", name]);
			expect(problems).toMatchObject([{ severity: "information", code: "agent.unofferedTool", line: 4, column: 20 }]);
		},
	);

	it("takes * for what the parent has, with a warning (A22)", async () => {
		const { agent, problems } = await parse(agentText('tools: ["*"]'));
		expect(agent).not.toHaveProperty("tools");
		expect(problems).toMatchObject([{ severity: "warning", code: "agent.anyTool", line: 4 }]);
	});

	it("loads an agent that wants a worktree, and says that there are none yet", async () => {
		const { agent, problems } = await parse(agentText("isolation: worktree"));
		expect(agent?.isolation).toBe("worktree");
		expect(problems).toMatchObject([
			{ severity: "warning", code: "agent.isolation", message: expect.stringContaining("not in this version") },
		]);
	});

	it("warns of a model that is not there, and keeps it", async () => {
		const isKnownModel = (reference: string) => reference.startsWith("demo/");
		const withModels = (line: string) => parseAgentFile(origin, agentText(line), { ...someTools, isKnownModel });
		expect(await withModels("model: demo/demo")).toMatchObject({ problems: [] });
		expect(await withModels("model: acme/huge")).toMatchObject({
			agent: { model: "acme/huge" },
			problems: [{ severity: "warning", code: "agent.unknownModel", line: 4, column: 8, endColumn: 17 }],
		});
	});

	it.each(["timeoutSeconds", "thinking", "budget", "tools"])(
		"does not stumble over a %s whose value pretends to be a number or a text",
		async (field) => {
			expect(await problemsOf(agentText(`${field}: { toString: 1, valueOf: 2 }`))).not.toEqual([]);
		},
	);

	it("reads tools written as a text, with a warning (A19)", async () => {
		const { agent, problems } = await parse(agentText("tools: read_file, grep"));
		expect(agent?.tools).toEqual(["read_file", "grep"]);
		expect(problems).toMatchObject([{ severity: "warning", code: "agent.commaList", line: 4 }]);
	});

	it("cuts a timer to a day, with a warning", async () => {
		const { agent, problems } = await parse(agentText("timeoutSeconds: 1000000000000"));
		expect(agent?.timeoutSeconds).toBe(86_400);
		expect(problems).toMatchObject([{ severity: "warning", code: "agent.longTimer", line: 4 }]);
	});

	it("has an agent or an error for whatever bytes there are", async () => {
		const text = fc.array(fc.oneof(fc.constantFrom(...pieces), fc.string()), { maxLength: 60 });
		const source = fc.oneof(
			fc.uint8Array({ maxLength: 300 }),
			text.map((parts) => Buffer.from(`---\n${parts.join("")}\n---\nBody`)),
			text.map((parts) => Buffer.from(parts.join(""))),
		);
		await fc.assert(
			fc.asyncProperty(source, async (bytes) => {
				const { agent, problems } = await parseAgentFile(origin, bytes, someTools);
				expect(agent === undefined).toBe(problems.some(({ severity }) => severity === "error"));
			}),
			{ numRuns: 2_000 },
		);
	});
});
