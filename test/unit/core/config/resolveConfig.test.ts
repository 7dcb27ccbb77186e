import { describe, expect, it } from "vitest";
import { resolveConfig } from "../../../../src/core/config/resolveConfig.ts";
import { readSettingsLayers } from "../../../../src/core/config/settingsConfig.ts";
import { brief, codes, onDisk, parsed, resolved } from "./aConfig.ts";
import { vocabulary } from "./vocabulary.ts";

const defaults = (...lines: string[]) => `[agents.defaults.subagents]\n${lines.join("\n")}\n`;
const agent = (id: string, ...lines: string[]) => `[[agents.list]]\nid = "${id}"\n${lines.join("\n")}\n`;

describe("what the repo says of a server of the user's", () => {
	const base = `[mcp_servers.a]
command = "a"
enabled_tools = ["open", "shot"]
disabled_tools = ["shot"]
startup_timeout_sec = 20
default_tools_approval_mode = "writes"
[mcp_servers.a.tools.open]
approval_mode = "prompt"
`;
	const patched = async (lines: string) => {
		const config = await resolved({ home: base, repo: `[mcp_servers.a]\n${lines}\n` });
		return { value: config.mcpServers.get("a")?.value, problems: brief(config.problems) };
	};

	it.each<[string, object]>([
		["enabled = false", { enabled: false }],
		['enabled_tools = ["open"]', { enabledTools: ["open"] }],
		['disabled_tools = ["other"]', { disabledTools: ["shot", "other"] }],
		["startup_timeout_sec = 10", { startupTimeoutSec: 10 }],
		["startup_timeout_ms = 1500", { startupTimeoutSec: 1.5 }],
		["tool_timeout_sec = 60", { toolTimeoutSec: 60 }],
		['default_tools_approval_mode = "prompt"', { defaultToolsApprovalMode: "prompt" }],
		[
			'tools.other.approval_mode = "prompt"',
			{ tools: { open: { approvalMode: "prompt" }, other: { approvalMode: "prompt" } } },
		],
		["required = true", { required: true }],
	])("may narrow: %s", async (lines, changed) => {
		const { value, problems } = await patched(lines);
		expect(problems).toEqual([]);
		expect(value).toMatchObject({ command: "a", ...changed });
	});

	it.each<[string, object]>([
		['enabled_tools = ["open", "other"]', { enabledTools: ["open"] }],
		["startup_timeout_sec = 30", { startupTimeoutSec: 20 }],
		["startup_timeout_ms = 20001", { startupTimeoutSec: 20 }],
		["tool_timeout_sec = 301", { command: "a" }],
		['default_tools_approval_mode = "auto"', { defaultToolsApprovalMode: "writes" }],
		['tools.open.approval_mode = "writes"', { tools: { open: { approvalMode: "prompt" } } }],
		['tools.other.approval_mode = "approve"', { tools: { open: { approvalMode: "prompt" } } }],
	])("may not widen: %s", async (lines, kept) => {
		const { value, problems } = await patched(lines);
		expect(problems).toEqual([expect.stringMatching(/^error config\.notAllowedHere 2:/u)]);
		expect(value).toMatchObject(kept);
	});

	it("can't be that calls are never asked about, not even for a server of its own", async () => {
		const config = await resolved({
			repo: '[mcp_servers.b]\ncommand = "b"\ndefault_tools_approval_mode = "approve"\n',
		});
		expect(config.mcpServers.get("b")?.value).toEqual({ command: "b" });
		expect(brief(config.problems)).toEqual(["error config.notAllowedHere 3:1"]);
	});

	it("is told when there is no such server, with the one that was probably meant", async () => {
		const typo = await resolved({
			home: '[mcp_servers.context7]\ncommand = "a"\n',
			repo: "[mcp_servers.contex7]\nenabled = false\n",
		});
		expect(typo.problems).toMatchObject([
			{ severity: "warning", code: "mcp.noServer", file: "/repo/.agents/config.toml", line: 1 },
		]);
		expect(typo.problems[0]?.message).toContain("context7");
		const unknown = await resolved({ repo: "[mcp_servers.something]\nenabled = false\n" });
		expect(brief(unknown.problems)).toEqual(["information mcp.noServer 1:14"]);
	});

	it("keeps its provenance, field by field", async () => {
		const config = await resolved({ home: base, repo: "\n[mcp_servers.a]\nenabled = false\n" });
		const home = { layer: "home", file: "/home/.agents/config.toml", line: 1, column: 14 };
		expect(config.mcpServers.get("a")?.provenance).toMatchObject({
			...home,
			shadows: [],
			changes: { enabled: { layer: "repo", file: "/repo/.agents/config.toml", line: 3, column: 1, shadows: [home] } },
		});
	});
});

describe("agents.defaults", () => {
	const narrowing: readonly [string, string, string, unknown, boolean][] = [
		["maxConcurrent", "", "max_concurrent = 4", 4, true],
		["maxConcurrent", "", "max_concurrent = 9", 8, false],
		["maxConcurrent", "max_concurrent = 16", "max_concurrent = 12", 12, true],
		["runTimeoutSeconds", "", "timeout_seconds = 60", 60, true],
		["runTimeoutSeconds", "", "run_timeout_seconds = 901", 900, false],
		["runTimeoutSeconds", "", "run_timeout_seconds = 0", 900, false],
		["runTimeoutSeconds", "run_timeout_seconds = 0", "run_timeout_seconds = 5000", 5000, true],
		["maxTurns", "", "max_iterations = 15", 15, true],
		["maxTurns", "", "max_turns = 51", 50, false],
		["archiveAfterMinutes", "", "archive_after_minutes = 5", 5, true],
		["archiveAfterMinutes", "", "archive_after_minutes = 61", 60, false],
		["archiveAfterMinutes", "", "archive_after_minutes = 0", 60, false],
		["archiveAfterMinutes", "archive_after_minutes = 0", "archive_after_minutes = 600", 600, true],
		["thinking", 'thinking = "low"', 'thinking = "high"', "high", true],
		["model", 'model = "demo/demo"', 'model = "openai/x"', "openai/x", true],
		["allowTools", 'allow_tools = ["read", "grep"]', 'allow_tools = ["read_file"]', ["read_file"], true],
		["allowTools", 'allow_tools = ["read"]', 'allow_tools = ["shell"]', [], false],
		["allowTools", "", 'allow_tools = ["read"]', ["read"], true],
		["allowTools", 'allow_tools = ["read"]', "allow_tools = []", ["read"], true],
		["denyTools", 'deny_tools = ["exec"]', 'deny_tools = ["shell", "grep"]', ["shell", "grep"], true],
		["denyTools", 'deny_tools = ["exec"]', "deny_tools = []", ["exec"], true],
		[
			"budget",
			"budget = { tokens = 100, turns = 5 }",
			"budget = { tokens = 50, usd = 1 }",
			{ tokens: 50, turns: 5, usd: 1 },
			true,
		],
		["budget", "budget = { tokens = 100 }", "budget = { tokens = 200, turns = 1 }", { tokens: 100, turns: 1 }, false],
		[
			"roleMaxConcurrent",
			"role_max_concurrent = { qa = 2 }",
			"role_max_concurrent = { qa = 3, dev = 1 }",
			{ qa: 2, dev: 1 },
			false,
		],
	];

	it.each(narrowing)("%s: home %j, repo %j gives %j", async (field, home, repo, value, isAllowed) => {
		const config = await resolved({ home: defaults(home), repo: defaults(repo) });
		expect(config.defaults[field as "model"]?.value).toEqual(value);
		expect(codes(config.problems)).toEqual(isAllowed ? [] : ["config.notAllowedHere"]);
	});

	it("has built-in values that nobody has to say (S1-06)", async () => {
		const config = await resolved({});
		expect(Object.fromEntries(Object.entries(config.defaults).map(([field, { value }]) => [field, value]))).toEqual({
			maxConcurrent: 8,
			archiveAfterMinutes: 60,
			runTimeoutSeconds: 900,
			maxTurns: 50,
		});
		expect(config.defaults.maxConcurrent?.provenance.layer).toBe("builtIn");
	});

	it("gives settings the last word, except that what is denied stays denied", async () => {
		const config = await resolved({
			home: defaults("max_concurrent = 4", 'deny_tools = ["grep"]'),
			repo: defaults("max_concurrent = 2", 'deny_tools = ["exec"]'),
			settings: defaults("max_concurrent = 12", 'deny_tools = ["write"]'),
		});
		expect(config.defaults.maxConcurrent).toMatchObject({
			value: 12,
			provenance: { layer: "settings", shadows: [{ layer: "repo" }, { layer: "home" }, { layer: "builtIn" }] },
		});
		expect(config.defaults.denyTools?.value).toEqual(["grep", "exec", "write"]);
	});

	it("does not read home's where a role pack stands in, and says so", async () => {
		const config = await resolved({ home: defaults("max_concurrent = 4"), role: defaults("max_turns = 90") });
		expect(config.defaults).toMatchObject({ maxConcurrent: { value: 8 }, maxTurns: { value: 90 } });
		expect(config.skipped).toMatchObject([{ name: "agents.defaults", source: { layer: "home", line: 1 } }]);
	});
});

describe("what only the user may say", () => {
	const powers = `
[model_providers.x]
base_url = "https://example.org"
[channels.telegram.accounts.bot]
enabled = true
[[bindings]]
agent_id = "main"
match = { channel = "panel" }
[permissions]
allow = ["shell"]
ask = ["grep"]
deny = ["web_fetch"]
[agents]
on_duplicate = "projectWins"
[[agents.list]]
id = "helper"
`;

	it("counts from home and from settings", async () => {
		for (const layer of ["home", "settings"] as const) {
			const config = await resolved({ [layer]: powers });
			expect(config.problems).toEqual([]);
			expect([...config.modelProviders.keys()]).toEqual(["x"]);
			expect(config.accounts).toHaveLength(1);
			expect(config.bindings).toHaveLength(1);
			expect(config.permissions.allow.map(({ value }) => value)).toEqual(["shell"]);
			expect(config.onDuplicate.value).toBe("projectWins");
			expect([...config.agents.keys()]).toEqual(["main", "helper"]);
		}
	});

	it.each(["repo", "role", "workspace"] as const)("is refused from %s, value by value", async (layer) => {
		const config = await resolved({ [layer]: powers });
		const refused = ["2:18", "4:11", "6:3", "10:10", "14:1", "15:10"];
		expect(brief(config.problems)).toEqual(refused.map((place) => `error config.notAllowedHere ${place}`));
		expect(config.modelProviders.size + config.accounts.length + config.bindings.length).toBe(0);
		expect(config.permissions.allow).toEqual([]);
		expect(config.onDuplicate.value).toBe("fail");
		expect([...config.agents.keys()]).toEqual(["main"]);
	});

	it("is read from home whatever the role", async () => {
		const config = await resolved({ home: powers, role: '[mcp_servers.r]\ncommand = "r"\n' });
		expect(config.problems).toEqual([]);
		expect([...config.modelProviders.keys(), ...config.agents.keys()]).toEqual(["x", "main", "helper"]);
		expect(config.accounts).toHaveLength(1);
	});

	it("does not keep a repo or a role from asking and denying more", async () => {
		const rules = (list: string) => `[permissions]\nask = ["${list}_ask"]\ndeny = ["${list}_deny"]\n`;
		const config = await resolved({ home: rules("home"), role: rules("role"), repo: rules("repo") });
		expect(config.permissions.ask.map(({ value }) => value)).toEqual(["repo_ask", "role_ask", "home_ask"]);
		expect(config.permissions.deny.map(({ value }) => value)).toEqual(["repo_deny", "role_deny", "home_deny"]);
		expect(config.problems).toEqual([]);
	});

	it("is no mistake in a home that is open as a folder, under a role", async () => {
		const { config } = await onDisk(
			{ "home/.agents/config.toml": powers, "home/.agents/roles/r/.agents/config.toml": "" },
			(folder) => ({ repoDir: `${folder}/home`, role: "r" }),
		);
		expect(config.problems).toEqual([]);
		expect(config.modelProviders.size).toBe(1);
	});
});

describe("names that refer to nothing", () => {
	it("are warnings where they allow something, with the nearest name", async () => {
		const config = await resolved({
			home: agent(
				"a",
				'model = "opnai/x"',
				'tools = { allow = ["raed_file", "mcp__x__y", "*", "gateway"], deny = ["nothing"] }',
			),
		});
		expect(config.problems.map(({ severity, message }) => [severity, /mean "(\w+)"/u.exec(message)?.[1]])).toEqual([
			["warning", "openai"],
			["warning", "read_file"],
			["information", undefined],
		]);
	});

	it("do not count providers that the configuration defines", async () => {
		const provider = '[model_providers.local]\nbase_url = "http://localhost:1/v1"\n';
		expect((await resolved({ home: provider + agent("a", 'model = "local/x"') })).problems).toEqual([]);
	});

	it("make a binding useless, or let it wait for its account", async () => {
		const config = await resolved({
			home: `[[bindings]]\nagent_id = "coda"\nmatch = { channel = "telegram" }\n[[bindings]]\nagent_id = "Coder"\nmatch = { channel = "telegram", account_id = "bot" }\n${agent("coder")}`,
		});
		expect(brief(config.problems)).toEqual(["error config.unknownAgent 1:3", "warning config.unknownAccount 4:3"]);
		expect(config.bindings.map(({ value }) => value.agentId)).toEqual(["coder"]);
	});
});

describe("bindings, channels and providers of two layers", () => {
	it("are those of settings where both say something, else both", async () => {
		const config = await resolved({
			home: `[[bindings]]\nagent_id = "main"\nmatch = { channel = "panel" }\n[[bindings]]\nagent_id = "main"\nmatch = { channel = "chat" }\n[channels.telegram]\nenabled = false\nowner_ids = [7]\n[channels.telegram.accounts.a]\nname = "A"\n`,
			settings: `[[bindings]]\nagent_id = "other"\nmatch = { channel = "panel" }\n[channels.telegram.accounts.b]\nenabled = false\n${agent("other")}`,
		});
		expect(
			config.bindings.map(({ value, provenance }) => [value.match.channel, value.agentId, provenance.layer]),
		).toEqual([
			["panel", "other", "settings"],
			["chat", "main", "home"],
		]);
		expect(config.accounts.map(({ value }) => [value.id, value.isEnabled, value.ownerIds])).toEqual([
			["b", false, [7]],
			["a", false, [7]],
		]);
	});

	it("hand a channel's own values down to its accounts", async () => {
		const config = await resolved({
			home: "[channels.telegram]\nenabled = false\nowner_ids = [7]\n[channels.telegram.accounts.a]\nenabled = true\n",
		});
		expect(config.accounts.map(({ value }) => [value.isEnabled, value.ownerIds])).toEqual([[false, [7]]]);
	});
});

describe("a folder's own settings", () => {
	it("are part of the repo layer: they narrow, below its config.toml", async () => {
		const settings = readSettingsLayers({
			workspace: {
				agents: { defaults: { subagents: { maxConcurrent: 3, thinking: "high", maxTurns: 7 } } },
				bindings: [{ agentId: "main", match: { channel: "panel" } }],
			},
		});
		const file = await parsed("repo", defaults("max_concurrent = 5", 'thinking = "low"'));
		const config = resolveConfig({ base: "home", parts: [file, ...settings], hasOwnServers: false }, vocabulary);
		expect(config.defaults).toMatchObject({
			maxConcurrent: {
				value: 5,
				provenance: { layer: "repo", shadows: [{ file: "workspace settings" }, { layer: "builtIn" }] },
			},
			thinking: { value: "low" },
			maxTurns: { value: 7 },
		});
		expect(brief(config.problems)).toEqual(["error config.notAllowedHere"]);
	});
});
