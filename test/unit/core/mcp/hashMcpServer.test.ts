import { describe, expect, it } from "vitest";
import { listMcpServers } from "../../../../src/core/mcp/mcpServers.ts";
import { resolved } from "../config/aConfig.ts";

async function hashOf(text: string): Promise<string | undefined> {
	const config = await resolved({ home: text });
	expect(config.problems).toEqual([]);
	return listMcpServers(config, {})[0]?.hash;
}

const program = `[mcp_servers.a]
command = "npx"
args = ["-y", "pkg@1.0.0"]
cwd = "/srv"
env_vars = ["HOME_VAR"]
enabled_tools = ["x", "y"]
disabled_tools = ["z"]
[mcp_servers.a.env]
A = "1"
B = "2"
`;
const address = `[mcp_servers.a]
url = "https://example.org/mcp"
bearer_token_env_var = "ONE"
http_headers = { X = "1" }
env_http_headers = { Y = "TWO" }
`;

describe("hashMcpServer", () => {
	it.each([
		["a comment", program, program.replace('command = "npx"', '# why\ncommand = "npx" # what')],
		["blanks", program, program.replaceAll(" = ", "=").replaceAll("\n", "\n\n")],
		["the order of keys", program, `[mcp_servers.a.env]\nB = "2"\nA = "1"\n${program.split("[mcp_servers.a.env]")[0]}`],
		["another spelling", program, program.replace("enabled_tools", "enabledTools")],
		["the order of tools", program, program.replace('["x", "y"]', '["y", "x"]')],
		["a timer", program, program.replace("cwd", "tool_timeout_sec = 5\ncwd")],
		["being off", program, program.replace("cwd", "enabled = false\ncwd")],
		["the type that it has anyway", program, program.replace("cwd", 'type = "stdio"\ncwd')],
		["the case of the host", address, address.replace("example.org", "EXAMPLE.org")],
	])("T24: does not change with %s", async (_, before, after) => {
		expect(await hashOf(after)).toBe(await hashOf(before));
	});

	const mutations: readonly [string, string, string, string][] = [
		["the command", program, '"npx"', '"node"'],
		["an argument", program, "1.0.0", "1.0.1"],
		["the order of arguments", program, '"-y", "pkg@1.0.0"', '"pkg@1.0.0", "-y"'],
		["one argument instead of two", program, '"-y", "pkg@1.0.0"', '"-y pkg@1.0.0"'],
		["the folder", program, "/srv", "/opt"],
		["a variable's value", program, 'A = "1"', 'A = "2"'],
		["a variable's name", program, 'A = "1"', 'C = "1"'],
		["a variable less", program, 'B = "2"\n', ""],
		["a variable of this machine", program, "HOME_VAR", "OTHER_VAR"],
		["a tool more", program, '"x", "y"', '"x", "y", "w"'],
		["a tool that is not disabled", program, '["z"]', "[]"],
		["the path", address, "/mcp", "/other"],
		["the host", address, "example.org", "example.com"],
		["the port", address, "example.org", "example.org:8443"],
		["the token's variable", address, "ONE", "THREE"],
		["a header's value", address, 'X = "1"', 'X = "2"'],
		["a header's name", address, 'X = "1"', 'Z = "1"'],
		["a header's variable", address, "TWO", "THREE"],
		["the transport", address, "url", 'type = "sse"\nurl'],
		["a helper", address, "url", 'http_headers_helper = "x"\nurl'],
	];
	it.each(mutations)("changes with %s", async (_, text, from, to) => {
		expect(text).toContain(from);
		expect(await hashOf(text.replace(from, to))).not.toBe(await hashOf(text));
	});
});
