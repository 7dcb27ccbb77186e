import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { applyTextEdits } from "../../../../src/core/base/textEdit.ts";
import { discoverCatalog } from "../../../../src/core/catalog/discoverCatalog.ts";
import { planSecretMove } from "../../../../src/core/catalog/planSecretMove.ts";
import { parseConfigFile } from "../../../../src/core/config/configFile.ts";
import type { ConfigOrigin } from "../../../../src/core/config/configProblem.ts";
import { planLaunch } from "../../../../src/core/mcp/launchPlan.ts";
import { listMcpServers } from "../../../../src/core/mcp/mcpServers.ts";
import { findKeptVariables, readServerSecrets } from "../../../../src/core/mcp/serverSecrets.ts";
import { createServerProviders } from "../../../../src/core/models/serverProvider.ts";
import { MemorySecrets } from "../../../fakes/memorySecrets.ts";
import { temporaryFolder } from "../../../fakes/temporaryFolder.ts";
import { parsed, resolved } from "./aConfig.ts";

const secret = `ghp_${"a1".repeat(18)}`;
const file = "/home/.agents/config.toml";
const home: ConfigOrigin = { layer: "home", file };

/** The first secret of a text, moved as its problem says. */
async function moved(text: string, origin = home) {
	const { problems } = await parseConfigFile(origin, text);
	const remedies = problems.flatMap((problem) => problem.remedies ?? []);
	const remedy = remedies.find((each) => each.kind === "moveToSecretStorage");
	const move = remedy && (await planSecretMove(origin, origin.file, text, remedy.path));
	return { move, after: move && applyTextEdits(text, move.edits) };
}

/** A home with a text after its move, and the secret kept. */
async function kept(text: string) {
	const { move, after = "" } = await moved(text);
	const secrets = new MemorySecrets();
	if (move !== undefined) await secrets.set(move.place, move.secret);
	return { secrets, after };
}

async function launch(config: Awaited<ReturnType<typeof resolved>>, secrets: MemorySecrets) {
	const [server] = listMcpServers(config, {}, await findKeptVariables(config, secrets));
	if (server === undefined) throw new Error("There is no server");
	const holder = { name: server.name, file: server.provenance.file ?? "", fields: server.fields };
	const own = await readServerSecrets(holder, secrets);
	return { server, own, plan: await planLaunch(server, { folder: "/", roots: [] }, {}, own) };
}

const bearer = `[mcp_servers.git]\nurl = "https://mcp.example/x"\nbearer_token = "${secret}" # mine\n`;

describe("a secret that is moved out of a configuration", () => {
	it.each([
		[
			"a server's token",
			bearer,
			'[mcp_servers.git]\nurl = "https://mcp.example/x"\nbearer_token_env_var = "GIT_TOKEN" # mine\n',
		],
		[
			"a variable in a table of its own",
			`[mcp_servers.a]\n# why\ncommand = "x" # it\n\n[mcp_servers.a.env]\nA_TOKEN = "${secret}"\nB = "b"\n`,
			'[mcp_servers.a]\n# why\nenv_vars = ["A_TOKEN"]\ncommand = "x" # it\n\n[mcp_servers.a.env]\nB = "b"\n',
		],
		[
			"a variable beside others that are passed on",
			`[mcp_servers.a]\ncommand = "x"\nenv_vars = ["B"]\nenv = { A_TOKEN = "${secret}", C = "c" }\n`,
			'[mcp_servers.a]\ncommand = "x"\nenv_vars = ["A_TOKEN", "B"]\nenv = { C = "c" }\n',
		],
		[
			"a header",
			`[mcp_servers.a]\nurl = "https://x.example"\nhttp_headers = { Authorization = "Bearer ${secret}", Z = "z" }\n`,
			'[mcp_servers.a]\nenv_http_headers = { "Authorization" = "A_AUTHORIZATION" }\nurl = "https://x.example"\nhttp_headers = { Z = "z" }\n',
		],
		[
			"a server on one line",
			`mcp_servers.a = { command = "x", env = { A_TOKEN = "${secret}", B = "b" } }\n`,
			'mcp_servers.a = { env_vars = ["A_TOKEN"], command = "x", env = { B = "b" } }\n',
		],
		[
			"dotted keys",
			`mcp_servers.a.url = "https://x.example"\nmcp_servers.a.bearer_token = "${secret}"\n`,
			'mcp_servers.a.url = "https://x.example"\nmcp_servers.a.bearer_token_env_var = "A_TOKEN"\n',
		],
		[
			"a provider's key",
			`[model_providers.loop]\nbase_url = "https://loop.example/v1"\napi_key = "${secret}"\n`,
			'[model_providers.loop]\nbase_url = "https://loop.example/v1"\n',
		],
		[
			"an account's token",
			`[channels.telegram.accounts.me]\nname = "Me"\ntoken = "${secret}"\n`,
			'[channels.telegram.accounts.me]\nname = "Me"\ntoken_env_var = "TELEGRAM_ME_TOKEN"\n',
		],
	])("leaves a file that names it and has no error: %s", async (_what, text, expected) => {
		const { move, after } = await moved(text);
		expect(after).toBe(expected);
		expect(move?.secret).toContain(secret);
		expect(JSON.stringify([move?.edits, move?.place, move?.variable])).not.toContain(secret);
		expect((await parsed("home", expected)).problems).toEqual([]);
	});

	it("keeps the line ends of its file", async () => {
		const text = `[mcp_servers.a]\r\ncommand = "x"\r\n[mcp_servers.a.env]\r\nA_TOKEN = "${secret}"\r\n`;
		const { after } = await moved(text);
		expect(after).toBe('[mcp_servers.a]\r\nenv_vars = ["A_TOKEN"]\r\ncommand = "x"\r\n[mcp_servers.a.env]\r\n');
	});

	it.each([
		["stands in an argument", `[mcp_servers.a]\ncommand = "x"\nargs = ["--token=${secret}"]\n`],
		["stands in an address", `[mcp_servers.a]\nurl = "https://x.example/?access_token=${secret}"\n`],
		["is of a provider that says no address", `[model_providers.a]\napi_key = "${secret}"\n`],
	])("stays where it %s", async (_where, text) => {
		expect((await moved(text)).move).toBeUndefined();
	});

	it("is no provider's key when a repo says so", async () => {
		const text = `[model_providers.loop]\nbase_url = "https://loop.example"\napi_key = "${secret}"\n`;
		expect((await moved(text, { layer: "repo", file })).move).toBeUndefined();
	});
});

describe("what is kept for a server", () => {
	it("is sent where its variable is named, without a variable in the environment", async () => {
		const { after, secrets } = await kept(bearer);
		const { server, plan } = await launch(await resolved({ home: after }), secrets);
		expect(server).toMatchObject({ isUsable: true, problems: [] });
		expect(plan.target).toMatchObject({ address: { headers: { Authorization: `Bearer ${secret}` } } });
		expect(plan.secrets).toEqual([secret]);
	});

	it("is given to its program, and hidden in what that says", async () => {
		const text = `[mcp_servers.a]\ncommand = "${process.execPath}"\nenv = { A_TOKEN = "${secret}", B = "b" }\n`;
		const { after, secrets } = await kept(text);
		const { plan } = await launch(await resolved({ home: after }), secrets);
		expect(plan.target).toMatchObject({ program: { env: { A_TOKEN: secret, B: "b" } } });
		expect(plan.secrets).toEqual([secret]);
		expect(plan.key + plan.consentHash).not.toContain(secret);
	});

	it.each([
		[
			"another address",
			{ home: '[mcp_servers.git]\nurl = "https://evil.example"\nbearer_token_env_var = "GIT_TOKEN"\n' },
		],
		["another program", { home: '[mcp_servers.git]\ncommand = "cat"\nenv_vars = ["GIT_TOKEN"]\n' }],
		[
			"another name",
			{ home: '[mcp_servers.hub]\nurl = "https://mcp.example/x"\nbearer_token_env_var = "GIT_TOKEN"\n' },
		],
		[
			"another file",
			{ repo: '[mcp_servers.git]\nurl = "https://mcp.example/x"\nbearer_token_env_var = "GIT_TOKEN"\n' },
		],
	])("is not found by %s", async (_who, texts) => {
		const { secrets } = await kept(bearer);
		const { server, own } = await launch(await resolved(texts), secrets);
		expect(own).toEqual({});
		expect(server.isUsable && server.type !== "stdio").toBe(false);
	});

	it("is shared with no server that is the same but for its file", async () => {
		const { after, secrets } = await kept(bearer);
		const one = await launch(await resolved({ home: after }), secrets);
		const other = await planLaunch(one.server, { folder: "/", roots: [] }, { GIT_TOKEN: "theirs" });
		expect(one.plan.key).not.toBe(other.key);
	});

	it("is in no catalog, whose server is usable by it", async () => {
		const folder = temporaryFolder({ ".agents/config.toml": bearer });
		const at: ConfigOrigin = { layer: "home", file: join(folder, ".agents/config.toml") };
		const { move, after = "" } = await moved(bearer, at);
		const secrets = new MemorySecrets();
		if (move) await secrets.set(move.place, move.secret);
		writeFileSync(at.file, after);
		const catalog = await discoverCatalog({ homeDir: folder, environment: {}, providerIds: [], secrets });
		expect(catalog.mcpServers).toMatchObject([{ name: "git", isUsable: true }]);
		expect(JSON.stringify(catalog)).not.toContain(secret);
	});
});

describe("what is kept for a provider", () => {
	it("is its key, for its origin alone", async () => {
		const { secrets, after } = await kept(
			`[model_providers.loop]\nbase_url = "https://loop.example/v1"\nhttp_headers = { Authorization = "Bearer ${secret}" }\n`,
		);
		const { modelProviders = {} } = (await parsed("home", after)).value;
		const find = async (baseUrl: string) => {
			const configured = new Map([["loop", { ...modelProviders["loop"], baseUrl }]]);
			const all = createServerProviders(configured, { secrets, environment: {} });
			return all.find(({ id }) => id === "loop")?.findKey();
		};
		expect(await find("https://loop.example/v1")).toEqual({ key: secret, from: "entered" });
		expect(await find("https://evil.example/v1")).toBeUndefined();
	});
});
