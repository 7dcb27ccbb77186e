import { describe, expect, it } from "vitest";
import { positionAt } from "../../../../src/core/config/positionTree.ts";
import { brief, parsed } from "./aConfig.ts";

const home = (text: string) => parsed("home", text);

describe("parseConfigFile", () => {
	it("reads every table, with the position of everything in it", async () => {
		const text = `
[mcp_servers.a]
command = "a"

[agents.defaults.subagents]
max_concurrent = 4
budget = { tokens = 1000, tool_calls = 5 }

[[agents.list]]
id = "Coder"
tools = { allow = ["read"] }

[[bindings]]
agent_id = "coder"
match = { channel = "telegram", account_id = "bot" }

[channels.telegram.accounts.bot]
token_env_var = "BOT_TOKEN"
owner_ids = [1, "2"]

[model_providers.local]
base_url = "http://localhost:11434/v1"
env_key = "LOCAL_KEY"
wire_api = "chat"

[permissions]
allow = ["shell(git diff *)"]
deny = ["web_fetch"]
`;
		const { value, positions, problems } = await home(text);
		expect(problems).toEqual([]);
		expect(value).toEqual({
			mcpServers: { a: { command: "a" } },
			agents: {
				defaults: { subagents: { maxConcurrent: 4, budget: { tokens: 1000, toolCalls: 5 } } },
				list: [{ id: "coder", tools: { allow: ["read"] } }],
			},
			bindings: [{ agentId: "coder", match: { channel: "telegram", accountId: "bot" } }],
			channels: { telegram: { accounts: { bot: { tokenEnvVar: "BOT_TOKEN", ownerIds: [1, "2"] } } } },
			modelProviders: { local: { baseUrl: "http://localhost:11434/v1", envKey: "LOCAL_KEY", wireApi: "chat" } },
			permissions: { allow: ["shell(git diff *)"], deny: ["web_fetch"] },
		});
		const at = (...path: (string | number)[]) => positionAt(positions, path)?.line;
		expect(at("agents", "defaults", "subagents", "budget", "toolCalls")).toBe(7);
		expect(at("agents", "list", 0, "tools", "allow", 0)).toBe(11);
		expect(at("channels", "telegram", "accounts", "bot", "ownerIds", 1)).toBe(19);
		expect(at("permissions", "deny", 0)).toBe(28);
	});

	it("takes snake_case, camelCase and kebab-case for the same", async () => {
		const spellings = ["allow_agents", "allowAgents", "allow-agents"];
		const parts = await Promise.all(
			spellings.map((key) => home(`[[agents.list]]\nid = "a"\nsubagents = { ${key} = ["b"] }\n`)),
		);
		for (const { value, problems } of parts) {
			expect(problems).toEqual([]);
			expect(value.agents?.list).toEqual([{ id: "a", subagents: { allowAgents: ["b"] } }]);
		}
	});

	it("takes two spellings with the same value for one, and refuses them with different values", async () => {
		const same = await home("[agents.defaults.subagents]\nmax_concurrent = 2\nmaxConcurrent = 2\n");
		expect(same).toMatchObject({ problems: [], value: { agents: { defaults: { subagents: { maxConcurrent: 2 } } } } });
		const different = await home('[mcp_servers.a]\ncommand = "a"\nenabled_tools = ["x"]\nenabledTools = ["y"]\n');
		expect(brief(different.problems)).toEqual(["error config.twoSpellings 3:1"]);
		expect(different.value.mcpServers).toEqual({});
	});

	it("leaves names that people choose as they are", async () => {
		const { value } = await home('[mcp_servers.my_server-1]\ncommand = "a"\nenv = { MY_VAR = "x", "myVar" = "y" }\n');
		expect(value.mcpServers).toEqual({ "my_server-1": { command: "a", env: { MY_VAR: "x", myVar: "y" } } });
	});

	it.each([
		["[mcp_servers.a]\ncommand = 'a'\nenabel = true", 'Did you mean "enabled"?'],
		["[mcp_servers.a]\ncommand = 'a'\nenabledTool = ['x']", 'Did you mean "enabledTools"?'],
		["[agent]\nx = 1", 'Did you mean "agents"?'],
		["[something_else]\nx = 1", "Known here: mcp_servers, agents,"],
	])("warns of an unknown key and loads the rest: %j", async (text, advice) => {
		const { problems, value } = await home(`${text}\n[mcp_servers.b]\ncommand = "b"\n`);
		expect(problems).toMatchObject([{ severity: "warning", code: "config.unknownKey" }]);
		expect(problems[0]?.message).toContain(advice);
		expect(value.mcpServers).toHaveProperty("b");
	});

	it.each([
		[
			"a list entry",
			'[[agents.list]]\nid = "a"\nsandbox = "open"\n[[agents.list]]\nid = "b"\n',
			"error config.type 3:1",
			{ list: [{ id: "b" }] },
		],
		[
			"an entry without its id",
			'[[agents.list]]\nname = "a"\n[[agents.list]]\nid = "b"\n',
			"error config.missingKey 1:10",
			{ list: [{ id: "b" }] },
		],
		[
			"an entry that is there twice",
			'[[agents.list]]\nid = "a"\n[[agents.list]]\nid = "A"\n',
			"error config.duplicate 3:10",
			{ list: [{ id: "a" }] },
		],
		[
			"one value of the defaults",
			'[agents.defaults.subagents]\nmax_concurrent = 0\nthinking = "low"\n',
			"error config.range 2:1",
			{ defaults: { subagents: { thinking: "low" } }, list: [] },
		],
		[
			"one value of the agents",
			'[agents]\non_duplicate = "both"\n[[agents.list]]\nid = "a"\n',
			"error config.type 2:1",
			{ list: [{ id: "a" }] },
		],
	])("drops %s and keeps the rest", async (_, text, problem, agents) => {
		const { problems, value } = await home(text);
		expect(brief(problems)).toEqual([problem]);
		expect(value.agents).toEqual(agents);
	});

	it("drops single accounts, rules, bindings and providers", async () => {
		const { problems, value } = await home(`
[channels.telegram.accounts]
a = { enabled = "yes" }
b = { enabled = true }
[permissions]
deny = ["shell", "not a rule", 3]
[model_providers.x]
base_url = "ftp://example.org"
[model_providers.demo]
base_url = "https://example.org"
[model_providers.y]
base_url = "https://example.org"
[[bindings]]
agent_id = "a"
match = { channel = "telegram" }
[[bindings]]
agent_id = "b"
match = { channel = "telegram" }
`);
		expect(brief(problems)).toEqual([
			"error config.type 3:7",
			"error config.value 6:18",
			"error config.type 6:32",
			"error config.url 8:1",
			"error config.name 9:18",
			"error config.duplicate 16:3",
		]);
		expect(value).toEqual({
			channels: { telegram: { accounts: { b: { enabled: true } } } },
			permissions: { deny: ["shell"] },
			modelProviders: { y: { baseUrl: "https://example.org" } },
			bindings: [{ agentId: "a", match: { channel: "telegram" } }],
		});
	});

	it("says what a wrong value must be, without repeating it", async () => {
		const { problems } = await home(
			'[mcp_servers.a]\ncommand = "a"\nrequired = "hunter2"\n[agents.defaults.subagents]\nthinking = "max"\nmax_turns = 0\n',
		);
		expect(problems.map(({ message }) => message)).toEqual([
			'"mcp_servers.a.required" must be true or false; it is text. The server is left out until this is fixed.',
			'"agents.defaults.subagents.thinking" must be low, medium or high; it is "max". The value is left out until this is fixed.',
			'"agents.defaults.subagents.max_turns" must be 1 or more; it is 0. The value is left out until this is fixed.',
		]);
	});

	it("shortens a timer of more than a day, and says so", async () => {
		const { problems, value } = await home("[agents.defaults.subagents]\ntimeout_seconds = 100000\n");
		expect(brief(problems)).toEqual(["warning config.longTimer 2:1"]);
		expect(value.agents?.defaults?.subagents).toEqual({ runTimeoutSeconds: 86_400 });
	});

	it("reads every field that Codex has", async () => {
		const { problems, value } = await home(`
[mcp_servers.program]
command = "a"
args = []
env_vars = ["HOME_VAR", { name = "OTHER", source = "remote" }]
cwd = "/srv"
startup_timeout_ms = 5000
required = true
supports_parallel_tool_calls = true
default_tools_approval_mode = "prompt"
omit_tools_from = ["code_mode"]
experimental_environment = "local"
name = "ignored"
scopes = ["read"]
[mcp_servers.program.tools.delete_all]
approval_mode = "prompt"

[mcp_servers.address]
url = "https://example.org"
env_http_headers = { Authorization = "MY_AUTH" }
http_headers_helper = "print-headers"
auth = "oauth"
oauth = { client_id = "x", callback_port = 1455 }
oauth_resource = "https://example.org"
`);
		expect(problems).toEqual([]);
		expect(value.mcpServers?.["program"]).toMatchObject({
			envVars: ["HOME_VAR", { name: "OTHER", source: "remote" }],
			startupTimeoutMs: 5000,
			environmentId: "local",
			tools: { delete_all: { approvalMode: "prompt" } },
		});
		expect(value.mcpServers?.["address"]).toMatchObject({
			envHttpHeaders: { Authorization: "MY_AUTH" },
			oauth: { clientId: "x", callbackPort: 1455 },
		});
	});

	it("refuses in the base what only changes a server, because there is nothing below it", async () => {
		const { problems } = await home("[mcp_servers.a]\nenabled = false\n");
		expect(brief(problems)).toEqual(["error mcp.transport 1:14"]);
	});

	it("warns of a channel that does not exist", async () => {
		const { problems } = await home("[channels.telegramm]\nenabled = true\n");
		expect(problems[0]).toMatchObject({ code: "config.unknownChannel", message: expect.stringContaining("telegram") });
	});
});
