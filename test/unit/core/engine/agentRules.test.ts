import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { AgentDefinition } from "../../../../src/core/agents/agentDefinition.ts";
import { readAgentRules, addAgentRules } from "../../../../src/core/engine/agentRules.ts";
import { createPermissionGate } from "../../../../src/core/permissions/permissionGate.ts";
import { parseRule, type Rule } from "../../../../src/core/permissions/rule.ts";
import type { SideEffect } from "../../../../src/core/permissions/sideEffect.ts";
import { narrowTools } from "../../../../src/core/tools/narrowTools.ts";
import { canonicalToolName } from "../../../../src/core/tools/toolNames.ts";
import { effectiveTools } from "../../../../src/core/tools/toolPolicy.ts";
import { temporaryFolder, withLinks } from "../../../fakes/temporaryFolder.ts";

type Lists = Pick<AgentDefinition, "tools" | "disallowedTools" | "askedTools">;

const rulesFrom = (texts: readonly string[]): readonly Rule[] =>
	texts.flatMap((text) => {
		const parsed = parseRule(text, { origin: "your settings", canonicalName: canonicalToolName });
		return parsed.ok ? [parsed.rule] : [];
	});

function aTree(): string {
	const root = temporaryFolder({ "docs/a.md": "", "src/a.ts": "", ".git/config": "", ".env": "" });
	return withLinks(root, { "docs/out": "../src" });
}

/** The gate of a run of an agent with such lists, where the user has allowed this. */
function gateOf(root: string, lists: readonly Lists[], allowed: readonly string[] = []) {
	const askedTools = lists.flatMap((list) => list.askedTools ?? []);
	const agent = { ...narrowTools(...lists), askedTools } as unknown as AgentDefinition;
	const own = readAgentRules(agent);
	return createPermissionGate({
		roots: [root],
		homeDir: "/home/somebody",
		dataDir: "/home/somebody/data",
		rules: addAgentRules({ deny: [], ask: [], allow: rulesFrom(allowed) }, own),
		limits: own.limits,
		edits: "ask",
		isRestricted: false,
		isPlanMode: false,
		answers: () => [],
	});
}

const run = (command: string): SideEffect => ({ kind: "run", command });
const toolFor: Partial<Record<SideEffect["kind"], string>> = {
	run: "shell",
	read: "read_file",
	write: "write_file",
	fetch: "web_fetch",
	none: "todo",
};

async function verdict(effect: SideEffect, lists: readonly Lists[], allowed: readonly string[] = [], root = aTree()) {
	return (await gateOf(root, lists, allowed).decide(effect, toolFor[effect.kind] ?? "")).verdict;
}

describe("an agent that has a tool in part", () => {
	const git: Lists = { tools: ["Bash(git *)", "read_file"] };

	it.each([
		["git status", "allow"],
		["git status; git log", "allow"],
		["npm test", "deny"],
		["git status && npm test", "deny"],
		["git status $(npm test)", "deny"],
		["git status > docs/a.md", "deny"],
		["bash -c 'git status'", "deny"],
		["git -c 'alias.x=!ls' x", "ask"],
	])("may do %j: %s, although the user allows both programs", async (command, expected) => {
		expect(await verdict(run(command), [git], ["shell(git *)", "shell(npm *)", "shell(bash *)"])).toBe(expected);
	});

	it("is asked about what is inside as ever, and nothing is allowed by its own file", async () => {
		expect(await verdict(run("git status"), [git])).toBe("ask");
		const lists = { tools: ["write_file(**)"] };
		expect(await verdict({ kind: "write", path: "docs/a.md" }, [lists])).toBe("ask");
		expect(await verdict({ kind: "write", path: ".git/config" }, [lists], ["write_file"])).toBe("ask");
	});

	it.each([
		["docs/a.md", "allow"],
		["src/a.ts", "deny"],
		["docs/out/a.ts", "deny"],
		["docs/../src/a.ts", "deny"],
	])("writes %s: %s, where its files lie really", async (path, expected) => {
		expect(await verdict({ kind: "write", path }, [{ tools: ["write(docs/**)"] }], ["edit_file"])).toBe(expected);
	});

	it("fetches from that host alone", async () => {
		const lists = [{ tools: ["web_fetch(example.org)"] }];
		const fetched = (url: string) => verdict({ kind: "fetch", url }, lists, ["web_fetch"]);
		expect(await fetched("https://example.org/a")).toBe("allow");
		expect(await fetched("https://example.org.evil.example/")).toBe("deny");
	});

	it("has what each of several lists leaves, and several patterns of one list side by side", async () => {
		const lists = [{ tools: ["shell(git *)", "shell(npm *)"] }, { tools: ["shell(git log *)", "shell(npm *)"] }];
		const decided = ["git log -1", "git status", "npm test"].map((text) => verdict(run(text), lists, ["shell"]));
		expect(await Promise.all(decided)).toEqual(["allow", "deny", "allow"]);
	});

	it("is not limited where the same list also has the whole tool", async () => {
		expect(await verdict(run("npm test"), [{ tools: ["shell(git *)", "exec"] }], ["shell"])).toBe("allow");
	});

	it("finds in many files only those that it may read one by one", () => {
		const root = aTree();
		const gate = gateOf(root, [{ tools: ["grep(docs/**)", "glob"] }]);
		expect([gate.leavesOut(`${root}/src/a.ts`, "grep"), gate.leavesOut(`${root}/docs/a.md`, "grep")]).toEqual([
			true,
			false,
		]);
		expect(gate.leavesOut(`${root}/src/a.ts`, "glob")).toBe(false);
	});

	it("is offered the tool", () => {
		const available = ["shell", "shell_start", "grep"].map((name) => ({ name }));
		const lists = { tools: ["shell(git *)", "grep"], disallowedTools: ["shell(git push *)"] };
		const offered = effectiveTools({ available, ...lists, isSubagent: true });
		expect(offered.map(({ name }) => name)).toEqual(["shell", "grep"]);
	});
});

describe("an agent that is denied a tool in part", () => {
	it("is refused what the pattern fits, whatever the user allows, and keeps the rest", async () => {
		const lists = [{ disallowedTools: ["shell(rm *)", "edit_file(docs/**)"] }];
		const allowed = ["shell", "edit_file"];
		expect(await verdict(run("git log; rm -r src"), lists, allowed)).toBe("deny");
		expect(await verdict(run("git log"), lists, allowed)).toBe("allow");
		expect(await verdict({ kind: "write", path: "docs/a.md" }, lists, allowed)).toBe("deny");
		expect(await verdict({ kind: "write", path: "src/a.ts" }, lists, allowed)).toBe("allow");
	});

	it("is denied the whole tool by a pattern that nobody can read", async () => {
		const lists = [{ disallowedTools: ["shell(rm *"] }];
		expect(await verdict(run("git log"), lists, ["shell"])).toBe("deny");
	});
});

describe("an agent whose file asks for a tool", () => {
	it("asks each time for all that does the same, whatever the user allows", async () => {
		const lists = [{ askedTools: ["shell", "edit_file"] }];
		expect(await verdict(run("git log"), lists, ["shell"])).toBe("ask");
		expect(await verdict({ kind: "write", path: "docs/a.md" }, lists, ["edit_file"])).toBe("ask");
		expect(await verdict({ kind: "read", path: "docs/a.md" }, lists)).toBe("allow");
	});
});

it("the rules of an agent's file never make a verdict weaker", async () => {
	const entries = [
		"shell",
		"shell(git *)",
		"shell(ls)",
		"shell(",
		"edit_file(docs/**)",
		"write_file(src/**)",
		"read_file",
		"read_file(**/a.md)",
		"web_fetch(example.org)",
		"todo",
		"*",
	];
	const root = aTree();
	const effects: readonly SideEffect[] = [
		...["git status", "ls", "ls | git log", "ls $(git x)", "git -c x y", "npm test"].map(run),
		...["docs/a.md", "src/a.ts", ".env", ".git/config", "docs/out/a.ts"].flatMap((path) => [
			{ kind: "read", path } as const,
			{ kind: "write", path } as const,
		]),
		{ kind: "fetch", url: "https://example.org/" },
		{ kind: "fetch", url: "https://other.example/" },
		{ kind: "none" },
	];
	const rank = { allow: 0, ask: 1, deny: 2 };
	const some = fc.subarray(entries);
	const lists = fc.array(fc.record({ tools: some, disallowedTools: some, askedTools: some }), { maxLength: 3 });
	await fc.assert(
		fc.asyncProperty(lists, some, fc.constantFrom(...effects), async (own, allowed, effect) => {
			const without = await verdict(effect, [], allowed, root);
			const withThem = await verdict(effect, own, allowed, root);
			expect(rank[withThem]).toBeGreaterThanOrEqual(rank[without]);
		}),
		{ numRuns: 500 },
	);
});
