import { chmodSync, realpathSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { hideSecrets, type LaunchPlace, planLaunch } from "../../../../src/core/mcp/launchPlan.ts";
import { listMcpServers, type McpServer } from "../../../../src/core/mcp/mcpServers.ts";
import { aServer } from "../../../fakes/faultServers.ts";
import { temporaryFolder, withLinks } from "../../../fakes/temporaryFolder.ts";
import { resolved } from "../config/aConfig.ts";

/** Seed 000's example, as it stands there. */
const seed = `
[mcp_servers.context7]
command = "npx"
args = ["-y", "@upstash/context7-mcp"]
enabled = true
startup_timeout_sec = 20
tool_timeout_sec = 45

[mcp_servers.context7.env]
MY_ENV_VAR = "MY_ENV_VALUE"

[mcp_servers.figma]
url = "https://mcp.figma.com/mcp"
bearer_token_env_var = "FIGMA_OAUTH_TOKEN"
http_headers = { "X-Figma-Region" = "us-east-1" }
enabled = true

[mcp_servers.chrome_devtools]
url = "http://localhost:3000/mcp"
enabled_tools = ["open", "screenshot"]
disabled_tools = ["screenshot"]
startup_timeout_sec = 20
tool_timeout_sec = 45
enabled = true
`;

/** A folder with a program in it, as the only one on the PATH. */
function aPath(program: string): { readonly bin: string; readonly environment: Record<string, string> } {
	const bin = temporaryFolder({ [program]: "#!/bin/sh\n" });
	chmodSync(path.join(bin, program), 0o755);
	return { bin, environment: { PATH: bin, HOME: "/home/ada" } };
}

/** As the seed has them. */
const inOrder = (servers: readonly McpServer[]) =>
	["context7", "figma", "chrome_devtools"].flatMap((name) => servers.filter((server) => server.name === name));

const plan = (server: McpServer, environment: Record<string, string> = {}, place: Partial<LaunchPlace> = {}) =>
	planLaunch(server, { folder: "/", roots: [], ...place }, environment);

describe("what a configuration means on this machine", () => {
	it("seed 000's three servers, as they are written there", async () => {
		const { bin, environment } = aPath("npx");
		const all = { ...environment, FIGMA_OAUTH_TOKEN: " figma-token\n" };
		const servers = inOrder(listMcpServers(await resolved({ home: seed }), all));
		const folder = temporaryFolder();
		const plans = await Promise.all(servers.map((server) => plan(server, all, { folder })));
		expect(servers.map(({ name, isUsable }) => [name, isUsable])).toEqual([
			["context7", true],
			["figma", true],
			["chrome_devtools", true],
		]);
		expect(plans.map(({ target }) => target)).toEqual([
			{
				kind: "program",
				program: {
					command: path.join(bin, "npx"),
					args: ["-y", "@upstash/context7-mcp"],
					cwd: folder,
					env: { ...environment, MY_ENV_VAR: "MY_ENV_VALUE" },
				},
				realPath: path.join(bin, "npx"),
			},
			{
				kind: "address",
				address: {
					url: new URL("https://mcp.figma.com/mcp"),
					headers: { "X-Figma-Region": "us-east-1", Authorization: "Bearer figma-token" },
					protocols: ["http", "sse"],
				},
			},
			{
				kind: "address",
				address: { url: new URL("http://localhost:3000/mcp"), headers: {}, protocols: ["http", "sse"] },
			},
		]);
	});

	it("seed 000 without the token: that server alone can't be used, and the variable is named", async () => {
		const { environment } = aPath("npx");
		const servers = inOrder(listMcpServers(await resolved({ home: seed }), environment));
		const plans = await Promise.all(servers.map((server) => plan(server, environment)));
		expect(plans.map(({ target }) => target.kind)).toEqual(["program", "none", "address"]);
		expect(plans[1]?.target).toMatchObject({ problem: { message: expect.stringContaining("FIGMA_OAUTH_TOKEN") } });
	});

	it("a program is started under the name by which it was found, and known by both", async () => {
		const real = aPath("python3.12");
		const environment = withLinks(temporaryFolder(), { python: path.join(real.bin, "python3.12") });
		const server = aServer({ command: "./python" });
		const { target } = await plan(server, {}, { folder: environment });
		expect(target).toMatchObject({
			program: { command: path.join(environment, "python") },
			realPath: realpathSync(path.join(real.bin, "python3.12")),
		});
	});

	it("no program is looked for in the workspace", async () => {
		const { bin, environment } = aPath("tool");
		const { target } = await plan(aServer({ command: "tool" }), environment, { roots: [bin] });
		expect(target).toMatchObject({ kind: "none", problem: { code: "mcp.noProgram" } });
	});

	it("a header that can't be sent is refused without showing it", async () => {
		const server = aServer({ url: "https://example.org", bearerTokenEnvVar: "TOKEN" });
		const { target } = await plan(server, { TOKEN: "one\ntwo" });
		expect(target).toMatchObject({ kind: "none", problem: { code: "mcp.header" } });
		expect(JSON.stringify(target)).not.toContain("two");
	});
});

describe("the hash that a person consents to", () => {
	const { hash: _, ...fields } = aServer({ command: "tool", args: ["a"] });

	it("changes with the program that the command means, the arguments, the environment and the folder", async () => {
		const [one, other] = [aPath("tool"), aPath("tool")];
		const hash = async (server: McpServer, { environment }: typeof one, place: Partial<LaunchPlace> = {}) =>
			(await plan(server, environment, place)).consentHash;
		const first = await hash(aServer(fields.fields), one);
		expect(await hash(aServer(fields.fields), one)).toBe(first);
		const others = [
			await hash(aServer(fields.fields), other),
			await hash(aServer({ ...fields.fields, args: ["b"] }), one),
			await hash(aServer({ ...fields.fields, env: { A: "1" } }), one),
			await hash(aServer({ ...fields.fields, cwd: "tmp" }), one),
		];
		expect(new Set([first, ...others]).size).toBe(5);
		expect(await hash(aServer({ ...fields.fields, startupTimeoutSec: 5 }), one)).toBe(first);
	});

	it("is the same in another checkout of the same project", async () => {
		const { environment } = aPath("tool");
		const hash = async (folder: string) =>
			(await plan(aServer(fields.fields), environment, { folder, mainCheckout: folder })).consentHash;
		expect(await hash("/home/ada/one")).toBe(await hash("/home/ada/two"));
	});
});

describe("secrets", () => {
	it("do not show in a text", async () => {
		const server = aServer({ url: "https://example.org", bearerTokenEnvVar: "TOKEN", envHttpHeaders: { X: "SHORT" } });
		const { secrets } = await plan(server, { TOKEN: "very-secret", SHORT: "abc" });
		expect(hideSecrets("401: very-secret is wrong, abc", secrets)).toBe("401: … is wrong, abc");
	});
});
