/**
 * The rules of seed 000's systems that concern configuration, by their id in the research; where our specification decides
 * otherwise, its decision. Rules about skills, tools and spawning are tested with those.
 */
import { symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { ConfigLayerInputs } from "../../../../src/core/config/configLayers.ts";
import { isToolOffered, listMcpServers } from "../../../../src/core/mcp/mcpServers.ts";
import { codes, onDisk } from "./aConfig.ts";

const home = "home/.agents/config.toml";
const repo = "repo/.agents/config.toml";
const role = "home/.agents/roles/frontend/.agents/config.toml";
const server = (name: string, ...lines: string[]) => `[mcp_servers.${name}]\n${lines.join("\n")}\n`;
const command = (text: string) => `command = "${text}"`;

interface Rule {
	readonly id: string;
	readonly says: string;
	readonly files: Readonly<Record<string, string>>;
	readonly inputs?: Partial<ConfigLayerInputs>;
	/** Before the files are read. */
	readonly prepare?: (folder: string) => Partial<ConfigLayerInputs>;
	/** By name: the layer, the type, and `off` or `asks`. */
	readonly servers: Readonly<Record<string, string>>;
	readonly codes?: readonly string[];
}

const inHome = { [home]: server("h", command("h")) };
const asFrontend = { role: "frontend" };

const rules: readonly Rule[] = [
	{
		id: "S0-01",
		says: "a role pack with a configuration is valid",
		files: { ...inHome, [role]: server("r", command("r")) },
		inputs: asFrontend,
		servers: { r: "role stdio" },
	},
	{
		id: "S0-01",
		says: "a role pack with a folder of skills is valid, even if there is none in it",
		files: { ...inHome, "home/.agents/roles/frontend/.agents/skills/.keep": "" },
		inputs: asFrontend,
		servers: {},
	},
	{
		id: "S0-01",
		says: "a folder named config.toml and a file named skills make no role pack",
		files: { ...inHome, [`${role}/.keep`]: "", "home/.agents/roles/frontend/.agents/skills": "" },
		inputs: asFrontend,
		servers: { h: "home stdio" },
		codes: ["role.notFound"],
	},
	{
		id: "S0-02",
		says: "a valid role pack keeps every server of home out",
		files: { [home]: server("h", command("h")) + server("both", command("h")), [role]: server("both", command("r")) },
		inputs: asFrontend,
		servers: { both: "role stdio" },
	},
	{
		id: "S0-02",
		says: "a role that has no pack falls back to home and says so",
		files: inHome,
		inputs: { role: "backend" },
		servers: { h: "home stdio" },
		codes: ["role.notFound"],
	},
	{ id: "S0-02", says: "a blank role is none", files: inHome, inputs: { role: "  " }, servers: { h: "home stdio" } },
	{
		id: "S0-02",
		says: "the inputs are trimmed",
		files: { ...inHome, [role]: server("r", command("r")), [repo]: server("p", command("p")) },
		prepare: (folder) => ({ homeDir: ` ${folder}/home `, repoDir: `\t${folder}/repo\n`, role: " frontend " }),
		servers: { r: "role stdio", p: "repo stdio asks" },
	},
	{
		id: "S0-03",
		says: "the repo lies over home",
		files: { ...inHome, [repo]: server("h", command("p")) + server("p", command("p")) },
		servers: { h: "repo stdio asks", p: "repo stdio asks" },
	},
	{
		id: "S0-03",
		says: "the repo lies over a role pack",
		files: { [role]: server("r", command("r")), [repo]: server("r", command("p")) },
		inputs: asFrontend,
		servers: { r: "repo stdio asks" },
	},
	{
		id: "S0-03",
		says: "a repo that is the base is one layer, with the base's rights and no word about it",
		files: { [home]: `${server("h", command("h"))}[channels.telegram]\nenabled = true\n` },
		prepare: (folder) => ({ repoDir: join(folder, "home") }),
		servers: { h: "home stdio" },
	},
	{
		id: "S0-03",
		says: "a repo that is the base by another name is one layer",
		files: inHome,
		prepare: (folder) => {
			symlinkSync(join(folder, "home"), join(folder, "link"));
			return { repoDir: join(folder, "link") };
		},
		servers: { h: "home stdio" },
	},
	{
		id: "S0-04",
		says: "without any layer a run has no servers, and hears of it",
		files: {},
		prepare: (folder) => ({ homeDir: join(folder, "missing"), repoDir: "" }),
		servers: {},
		codes: ["config.noLayers"],
	},
	{
		id: "S0-05",
		says: "a static agent's workspace is its home layer",
		files: { ...inHome, "own/.agents/config.toml": server("w", command("w")) },
		prepare: (folder) => ({ workspaceDir: join(folder, "own") }),
		servers: { w: "workspace stdio" },
	},
	{
		id: "S0-05",
		says: "a workspace is written from home, unless it is absolute",
		files: { ...inHome, "home/own/.agents/config.toml": server("w", command("w")) },
		inputs: { workspaceDir: "./own" },
		servers: { w: "workspace stdio" },
	},
	{
		id: "S0-05",
		says: "a role pack stands in for a workspace too",
		files: { "own/.agents/config.toml": server("w", command("w")), [role]: server("r", command("r")) },
		prepare: (folder) => ({ workspaceDir: join(folder, "own"), role: "frontend" }),
		servers: { r: "role stdio" },
	},
	{
		id: "S0-08",
		says: "role packs can be elsewhere",
		files: { "packs/frontend/.agents/config.toml": server("r", command("r")) },
		prepare: (folder) => ({ rolesDir: join(folder, "packs"), role: "frontend" }),
		servers: { r: "role stdio" },
	},
	{
		id: "S0-08",
		says: "a role can't lead out of the folder of packs",
		files: { ...inHome, "home/.agents/secret/.agents/config.toml": server("x", command("x")) },
		inputs: { role: "../secret" },
		servers: { h: "home stdio" },
		codes: ["role.notFound"],
	},
	{
		id: "S0-09",
		says: "without a folder there is no repo layer",
		files: inHome,
		inputs: { repoDir: "" },
		servers: { h: "home stdio" },
	},
	{
		id: "S0-10",
		says: "a folder that is not there is an error",
		files: inHome,
		prepare: (folder) => ({ repoDir: join(folder, "missing") }),
		servers: { h: "home stdio" },
		codes: ["config.repoDir"],
	},
	{
		id: "S0-10",
		says: "a file where a folder is meant is an error",
		files: { ...inHome, file: "" },
		prepare: (folder) => ({ repoDir: join(folder, "file") }),
		servers: { h: "home stdio" },
		codes: ["config.repoDir"],
	},
	{
		id: "S0-19",
		says: "a repo that says how to connect replaces the whole server, its environment included",
		files: {
			[home]: server("a", command("h"), 'args = ["x"]', "tool_timeout_sec = 45", 'env = { A = "1" }'),
			[repo]: server("a", command("p")),
		},
		servers: { a: "repo stdio asks" },
	},
	{
		id: "S0-19",
		says: "a repo that only says off switches a server off",
		files: { ...inHome, [repo]: server("h", "enabled = false") },
		servers: { h: "home stdio off" },
	},
	{
		id: "S0-19",
		says: "a repo that only says on switches a server on, once a person agrees",
		files: { [home]: server("h", command("h"), "enabled = false"), [repo]: server("h", "enabled = true") },
		servers: { h: "home stdio asks" },
	},
	{
		id: "S0-20",
		says: "servers are on unless they are off, and in the order of their names",
		files: {
			[home]: server("b", command("b")) + server("a", command("a")) + server("c", command("c"), "enabled = false"),
		},
		servers: { a: "home stdio", b: "home stdio", c: "home stdio off" },
	},
	{
		id: "S0-21",
		says: "the type follows from what is there, or is said in any letter case",
		files: {
			[home]: [
				server("a", command("a")),
				server("b", 'url = "https://example.org"'),
				server("c", 'url = "https://example.org"', 'type = "SSE"'),
				server("d", 'url = "https://example.org"', 'type = "Http"'),
				server("e", 'url = "https://example.org"', 'type = "streamable-http"'),
				server("f", command("f"), 'type = " STDIO "'),
			].join(""),
		},
		servers: { a: "home stdio", b: "home http", c: "home sse", d: "home http", e: "home http", f: "home stdio" },
	},
	{
		id: "S0-21",
		says: "another type, stdio without a command, and http or sse without an address are left out; the others load",
		files: {
			[home]: [
				server("a", command("a"), 'type = "websocket"'),
				server("b", 'type = "stdio"'),
				server("c", 'type = "http"'),
				server("d", 'type = "sse"'),
				server("e", command("e")),
			].join(""),
		},
		servers: { e: "home stdio" },
		codes: ["config.type", "mcp.transport", "mcp.transport", "mcp.transport"],
	},
	{
		id: "S0-24",
		says: "a layer whose file can't be read counts as empty; the others load",
		files: { ...inHome, [repo]: "[mcp_servers.p\n" },
		servers: { h: "home stdio" },
		codes: ["config.toml"],
	},
	{
		id: "S0-24",
		says: "an unreadable configuration does not bring the old file back",
		files: { [home]: "[[[", "home/.goclaw/mcp.json": '{"servers": {"old": {"command": "old"}}}' },
		servers: {},
		codes: ["config.toml"],
	},
	{
		id: "S0-25",
		says: "goclaw's and Codex's files are read where a layer has no configuration, goclaw's above Codex's",
		files: {
			"home/.goclaw/mcp.json":
				'{"version": 1, "servers": {"a": {"type": "stdio", "command": "g", "timeoutSeconds": 9}}}',
			"home/.codex/config.toml": `model = "x"\n[profiles.p]\nx = 1\n${server("a", command("c"))}${server("b", command("c"))}`,
			"repo/.codex/config.toml": server("c", command("c")),
		},
		servers: { a: "home stdio", b: "home stdio", c: "repo stdio asks" },
		codes: ["config.legacy", "config.legacy", "config.legacy"],
	},
	{
		id: "S0-25",
		says: "they are not read where a layer has a configuration, however empty",
		files: {
			[home]: "",
			"home/.goclaw/mcp.json": '{"servers": {"a": {"command": "g"}}}',
			"home/.codex/config.toml": server("b", command("c")),
		},
		servers: {},
	},
	{
		id: "S0-25",
		says: "another program's file without servers is nobody's business",
		files: { "home/.codex/config.toml": 'model = "x"\n', "repo/.goclaw/mcp.json": "{}" },
		servers: {},
	},
	{
		id: "S0-26",
		says: "a file that the call names replaces the servers of all layers, and asks",
		files: { ...inHome, [repo]: server("p", command("p")), "call.toml": server("x", command("x")) },
		prepare: (folder) => ({ mcpConfigPath: join(folder, "call.toml") }),
		servers: { x: "call stdio asks" },
	},
	{
		id: "S0-26",
		says: "it may be the old JSON",
		files: { ...inHome, "call.json": '{"servers": {"x": {"url": "https://example.org", "headers": {"A": "b"}}}}' },
		prepare: (folder) => ({ mcpConfigPath: join(folder, "call.json") }),
		servers: { x: "call http asks" },
	},
	{
		id: "S0-26",
		says: "a file that is not there is an error, and no server is left",
		files: inHome,
		prepare: (folder) => ({ mcpConfigPath: join(folder, "missing.toml") }),
		servers: {},
		codes: ["config.mcpConfigPath"],
	},
	{
		id: "S0-26",
		says: "a folder is no file either",
		files: inHome,
		prepare: (folder) => ({ mcpConfigPath: join(folder, "home") }),
		servers: {},
		codes: ["config.mcpConfigPath"],
	},
	{
		id: "S0-27",
		says: "the call is above the repo, the repo above the role, the role instead of home",
		files: {
			[home]: server("a", command("h")),
			[role]: server("a", command("r")) + server("b", command("r")),
			[repo]: server("a", command("p")),
		},
		inputs: asFrontend,
		servers: { a: "repo stdio asks", b: "role stdio" },
	},
];

describe("the rules of the seeds", () => {
	it.each(rules)("$id: $says", async ({ files, inputs = {}, prepare, servers, codes: expected = [] }) => {
		const { config } = await onDisk(files, prepare ?? inputs);
		const found = listMcpServers(config, {}).map(
			({ name, type, isEnabled, needsConsent, provenance }) =>
				[
					name,
					[provenance.layer, type, !isEnabled && "off", needsConsent && "asks"].filter(Boolean).join(" "),
				] as const,
		);
		expect(Object.fromEntries(found)).toEqual(servers);
		expect(found.map(([name]) => name)).toEqual(Object.keys(servers).toSorted());
		expect(codes(config.problems)).toEqual(expected);
	});

	it("S0-18: what a run has read stays as it was when the files change", async () => {
		const { folder, config } = await onDisk(inHome);
		const before = structuredClone(config.mcpServers.get("h"));
		writeFileSync(join(folder, home), server("h", command("changed")));
		expect(config.mcpServers.get("h")).toEqual(before);
	});

	it("S0-19: nothing of the replaced server is left", async () => {
		const { config } = await onDisk({
			[home]: server(
				"a",
				'url = "https://mine.example.org"',
				'bearer_token_env_var = "MY_TOKEN"',
				'disabled_tools = ["x"]',
			),
			[repo]: server("a", 'url = "https://theirs.example.org"'),
		});
		expect(config.mcpServers.get("a")?.value).toEqual({ url: "https://theirs.example.org" });
	});

	it("S0-22: an empty variable for the token keeps the server from starting, and is named", async () => {
		const { config } = await onDisk({
			[home]: server("a", 'url = "https://example.org"', 'bearer_token_env_var = "MY_TOKEN"'),
		});
		const [withEmpty] = listMcpServers(config, { MY_TOKEN: " " });
		expect(withEmpty?.isUsable).toBe(false);
		expect(withEmpty?.problems[0]?.message).toContain("MY_TOKEN");
		expect(listMcpServers(config, { MY_TOKEN: "set" })[0]).toMatchObject({ isUsable: true, problems: [] });
	});

	it("S0-23: names of tools are trimmed, and what is disabled wins", async () => {
		const { config } = await onDisk({
			[home]: server("a", command("a"), 'enabled_tools = [" open ", "shot"]', 'disabled_tools = ["shot ", "shot"]'),
		});
		const fields = config.mcpServers.get("a")?.value ?? {};
		expect(["open", "shot", "other"].map((tool) => isToolOffered(fields, tool))).toEqual([true, false, false]);
	});

	it("S0-23: a timer of 0 is none, so that the default holds", async () => {
		const { config } = await onDisk({
			[home]: server("a", command("a"), "startup_timeout_sec = 0", "tool_timeout_sec = 0"),
		});
		expect(listMcpServers(config, {})[0]).toMatchObject({ startupTimeoutMs: 30_000, toolTimeoutMs: 300_000 });
	});
});
