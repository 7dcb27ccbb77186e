import { describe, expect, it } from "vitest";
import { chooseMcpServers, isToolOffered, listMcpServers } from "../../../../src/core/mcp/mcpServers.ts";
import { onDisk, resolved } from "../config/aConfig.ts";

const program = (name: string, ...lines: string[]) =>
	`[mcp_servers.${name}]\ncommand = "${name}"\n${lines.join("\n")}\n`;
const list = async (home: string, environment = {}) => listMcpServers(await resolved({ home }), environment);

describe("listMcpServers", () => {
	it("gives every server its timers: what is said, else the default, at most the most", async () => {
		const servers = await list(
			[
				program("a"),
				program("b", "startup_timeout_sec = 2.5", "tool_timeout_sec = 10"),
				program("c", "startup_timeout_ms = 1500", "startup_timeout_sec = 2"),
				program("d", "startup_timeout_ms = 1500"),
				program("e", "startup_timeout_sec = 1000", "tool_timeout_sec = 1000"),
			].join(""),
		);
		expect(servers.map(({ startupTimeoutMs, toolTimeoutMs }) => [startupTimeoutMs, toolTimeoutMs])).toEqual([
			[30_000, 300_000],
			[2500, 10_000],
			[2000, 300_000],
			[1500, 300_000],
			[120_000, 600_000],
		]);
	});

	it("names every variable that a server lacks on this machine", async () => {
		const text = `[mcp_servers.a]\nurl = "https://example.org"\nbearer_token_env_var = "ONE"\nenv_http_headers = { X = "TWO", Y = "THREE" }\n`;
		const [server] = await list(text, { TWO: "set" });
		expect(server).toMatchObject({ isEnabled: true, isUsable: false });
		expect(
			server?.problems.map(({ code, line, message }) => [code, line, /variable (\w+)/u.exec(message)?.[1]]),
		).toEqual([
			["mcp.emptyVariable", 1, "ONE"],
			["mcp.emptyVariable", 1, "THREE"],
		]);
		expect((await list(`${text}enabled = false\n`))[0]).toMatchObject({
			isEnabled: false,
			isUsable: false,
			problems: [],
		});
	});

	it("does not let a server start without the secret that was taken out of the file", async () => {
		const config = await resolved({ home: program("a", 'env = { A_TOKEN = "secret-value" }') });
		const [server] = listMcpServers(config, {});
		expect(server).toMatchObject({ isUsable: false, problems: config.problems });
		expect(server?.problems).toMatchObject([{ code: "config.inlineSecret", line: 3 }]);
	});

	it("asks about servers of a role pack that lies in the repo, as about the repo's own", async () => {
		const { config } = await onDisk(
			{ "repo/roles/r/.agents/config.toml": program("a"), "repo/.agents/config.toml": program("b") },
			(folder) => ({ rolesDir: `${folder}/repo/roles`, role: "r" }),
		);
		expect(listMcpServers(config, {}).map(({ name, needsConsent }) => [name, needsConsent])).toEqual([
			["a", true],
			["b", true],
		]);
	});

	it("asks about servers of an agent's workspace that is the open folder", async () => {
		const { config, layers } = await onDisk(
			{ "repo/.agents/config.toml": program("a", 'env = { PATH = "x" }') + program("b") },
			(folder) => ({
				workspaceDir: `${folder}/repo`,
			}),
		);
		expect(layers.roots.repo).toBeUndefined();
		expect(listMcpServers(config, {}).map(({ name, needsConsent }) => [name, needsConsent])).toEqual([["b", true]]);
		expect(config.problems.map(({ code }) => code)).toEqual(["mcp.loaderVariable"]);
	});

	it("says which server of the user's a repo's one replaces", async () => {
		const config = await resolved({ home: program("a"), repo: `\n${program("a")}` });
		expect(listMcpServers(config, {})[0]?.provenance).toMatchObject({
			layer: "repo",
			line: 2,
			shadows: [{ layer: "home", file: "/home/.agents/config.toml", line: 1 }],
		});
	});
});

describe("chooseMcpServers", () => {
	it("takes those that an agent names, and all where it names none", async () => {
		const servers = await list(program("a") + program("b"));
		expect(chooseMcpServers(servers, undefined, "/agent.md")).toEqual({ servers, problems: [] });
		expect(chooseMcpServers(servers, ["b"], "/agent.md").servers.map(({ name }) => name)).toEqual(["b"]);
		expect(chooseMcpServers(servers, [], "/agent.md").servers).toEqual([]);
	});

	it("reports a name that fits none, with the nearest", async () => {
		const servers = await list(program("context7"));
		expect(chooseMcpServers(servers, ["contex7"], "/agent.md")).toMatchObject({
			servers: [],
			problems: [{ code: "mcp.unknownServer", file: "/agent.md", message: expect.stringContaining("context7") }],
		});
	});
});

describe("isToolOffered", () => {
	it.each([
		[{}, true],
		[{ enabledTools: ["x"] }, true],
		[{ enabledTools: ["y"] }, false],
		[{ enabledTools: [] }, false],
		[{ disabledTools: ["x"] }, false],
		[{ enabledTools: ["x"], disabledTools: ["x"] }, false],
	])("T18: with %j it is %s", (fields, isOffered) => {
		expect(isToolOffered(fields, "x")).toBe(isOffered);
	});
});
