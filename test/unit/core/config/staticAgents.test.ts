import { describe, expect, it } from "vitest";
import { brief, codes, resolved } from "./aConfig.ts";

const agent = (id: string, ...lines: string[]) => `[[agents.list]]\nid = "${id}"\n${lines.join("\n")}\n`;

describe("static agents", () => {
	it("have a main one always", async () => {
		const config = await resolved({});
		expect(config.agents.get("main")).toMatchObject({ value: { id: "main" }, provenance: { layer: "builtIn" } });
		expect(config.defaultAgent.value).toBe("main");
	});

	it("of settings lie over those of home, field by field", async () => {
		const config = await resolved({
			home: agent("a", 'model = "demo/x"', "default = true", 'subagents = { thinking = "low" }'),
			settings: agent("a", 'name = "A"', 'model = "demo/y"', 'subagents = { allow_agents = ["b"] }'),
		});
		const { value, provenance } = config.agents.get("a") ?? {};
		const subagents = { thinking: "low", allowAgents: ["b"] };
		expect(value).toEqual({ id: "a", name: "A", model: "demo/y", default: true, subagents });
		expect(provenance).toMatchObject({
			layer: "home",
			line: 1,
			changes: {
				name: { layer: "settings", line: 3, shadows: [] },
				model: { layer: "settings", line: 4, shadows: [{ layer: "home" }] },
			},
		});
	});

	it("of the repo are none: one that the user does not have is refused as a whole", async () => {
		const config = await resolved({ home: `[agents]\nonDuplicate = "projectWins"\n`, repo: agent("a", 'name = "A"') });
		expect([...config.agents.keys()]).toEqual(["main"]);
		expect(brief(config.problems)).toEqual(["error config.notAllowedHere 1:10"]);
		expect(config.problems[0]?.message).toContain('you have none called "a"');
	});

	const mine = [
		'sandbox = "restricted"',
		'tools = { allow = ["read", "grep"], deny = ["exec"] }',
		'subagents = { allow_agents = ["b"], allow_tools = ["read"], deny_tools = ["glob"], run_timeout_seconds = 60 }',
	];
	const narrowing: readonly [field: string, repo: string, home: readonly string[], value: object, allowed: boolean][] =
		[
			["sandbox", 'sandbox = "restricted"', [], { sandbox: "restricted" }, true],
			["sandbox", 'sandbox = "trusted"', mine, { sandbox: "restricted" }, false],
			["tools.allow", 'tools = { allow = ["grep"] }', mine, { tools: { allow: ["grep"], deny: ["exec"] } }, true],
			["tools.allow", 'tools = { allow = ["shell"] }', mine, { tools: { allow: [], deny: ["exec"] } }, false],
			["tools.allow", 'tools = { allow = ["read"] }', [], { tools: { allow: ["read"] } }, true],
			["tools.deny", 'tools = { deny = ["glob"] }', mine, { tools: { deny: ["exec", "glob"] } }, true],
			["allow_agents", "subagents = { allow_agents = [] }", mine, { subagents: { allowAgents: [] } }, true],
			["allow_agents", 'subagents = { allow_agents = ["c"] }', mine, { subagents: { allowAgents: [] } }, false],
			["allow_agents", 'subagents = { allow_agents = ["c"] }', [], { subagents: { allowAgents: [] } }, false],
			["deny_tools", 'subagents = { deny_tools = ["ls"] }', mine, { subagents: { denyTools: ["glob", "ls"] } }, true],
			["timeout", "subagents = { timeout_seconds = 30 }", mine, { subagents: { runTimeoutSeconds: 30 } }, true],
			["timeout", "subagents = { timeout_seconds = 61 }", mine, { subagents: { runTimeoutSeconds: 60 } }, false],
			["timeout", "subagents = { timeout_seconds = 901 }", [], {}, false],
		];

	it.each(narrowing)("of the user are narrowed in %s by a repo that says %s", async (_, repo, home, value, allowed) => {
		const config = await resolved({ home: agent("a", ...home), repo: agent("a", repo) });
		expect(config.agents.get("a")?.value).toMatchObject(value);
		expect(codes(config.problems)).toEqual(allowed ? [] : ["config.notAllowedHere"]);
	});

	it("of the user keep everything else, main too, whatever the repo says", async () => {
		const lines = [
			'name = "theirs"',
			"default = true",
			'workspace = "/"',
			'system_prompt = "Obey."',
			'model = "demo/x"',
			'role = "x"',
			'auth_fallback = "parent"',
			'subagents = { model = "demo/x", thinking = "high" }',
		];
		const config = await resolved({ home: agent("a"), repo: agent("a", ...lines) + agent("main", "default = true") });
		expect([...config.agents.values()].map(({ value }) => value)).toEqual([{ id: "main" }, { id: "a" }]);
		expect(config.defaultAgent.value).toBe("main");
		expect(brief(config.problems)).toEqual(
			["3:1", "4:1", "7:1", "5:1", "6:1", "8:1", "9:1", "10:15", "10:33", "13:1"].map(
				(at) => `error config.notAllowedHere ${at}`,
			),
		);
	});

	it("have one default: the highest layer's, and the first of two", async () => {
		const both = await resolved({ home: agent("a", "default = true"), settings: agent("b", "default = true") });
		expect(both.defaultAgent.value).toBe("b");
		const twice = await resolved({ home: agent("a", "default = true") + agent("b", "default = true") });
		expect(twice.defaultAgent.value).toBe("a");
		expect(codes(twice.problems)).toEqual(["config.twoDefaults"]);
	});

	it("take an empty list of allowed tools for all of them", async () => {
		const config = await resolved({ home: agent("a", 'tools = { allow = [], deny = ["exec"] }') });
		expect(config.agents.get("a")?.value.tools).toEqual({ deny: ["exec"] });
	});
});
