import { describe, expect, it } from "vitest";
import { applyTextEdits } from "../../../../src/core/base/textEdit.ts";
import { takeInlineSecret } from "../../../../src/core/config/takeInlineSecret.ts";
import { withholdSecrets } from "../../../../src/core/config/withholdSecrets.ts";
import { brief, parsed } from "./aConfig.ts";

const secretsIn = (value: unknown) =>
	withholdSecrets(value)
		.problems.filter(({ code }) => code === "config.inlineSecret")
		.map(({ path }) => path);
const github = `ghp_${"a1".repeat(18)}`;

describe("withholdSecrets", () => {
	it.each<[string, unknown]>([
		["token", "channels.x"],
		["api_key", "k"],
		["apiKey", "k"],
		["bearer_token", "k"],
		["experimental_bearer_token", "k"],
		["password", "hunter2"],
		["client_secret", "k"],
		["token", 123_456],
	])("takes out %s whatever it is", (key, value) => {
		const raw = { table: { [key]: value, name: "n" } };
		expect(withholdSecrets(raw).value).toEqual({ table: { name: "n" } });
		expect(secretsIn(raw)).toEqual([["table", key]]);
	});

	it.each([
		["Authorization", "Basic eDp5"],
		["authorization", "x"],
		["X-API-Key", "x"],
		["X-Figma-Token", "abc"],
		["X-Custom", "Bearer abc"],
		["Cookie", "a=b"],
	])("takes out the header %s: %s", (name, value) => {
		expect(secretsIn({ http_headers: { [name]: value } })).toHaveLength(1);
	});

	it.each([
		["EXAMPLE_API_KEY", "0123456789"],
		["GITHUB_TOKEN", "abc"],
		["DB_PASSWORD", "hunter2"],
		["AWS_SECRET_ACCESS_KEY", "wJalrXUtnFEMI/K7MDENG"],
		["ANYTHING", github],
		["ANYTHING", "-----BEGIN RSA PRIVATE KEY-----"],
		["ANYTHING", `sk-${"a".repeat(24)}`],
		["ANYTHING", "AKIAIOSFODNN7EXAMPLE"],
		["ANYTHING", `123456789:${"A".repeat(35)}`],
	])("takes out the variable %s", (name, value) => {
		const { value: kept, problems } = withholdSecrets({ env: { [name]: value, OTHER: "x" } });
		expect(kept).toEqual({ env: { OTHER: "x" } });
		expect(problems[0]?.message).not.toContain(value);
	});

	it.each([
		["MY_ENV_VAR", "MY_ENV_VALUE"],
		["TOKEN_FILE", "/run/secrets/token"],
		["GITHUB_TOKEN", "${GITHUB_TOKEN}"],
		["API_KEY", ""],
		["API_KEY", "/run/secrets/key"],
		["MAX_TOKEN", "4096"],
		["USE_TOKEN", "true"],
		["PRIMARY_KEY", "customer_id"],
		["AUTH_TOKEN", "https://example.org/token"],
	])("keeps the variable %s=%s", (name, value) => {
		expect(withholdSecrets({ env: { [name]: value } })).toEqual({ value: { env: { [name]: value } }, problems: [] });
	});

	it("tells a token in an argument from the name of one", () => {
		expect(secretsIn({ args: ["Authorization: Bearer 0123456789"] })).toHaveLength(1);
		expect(
			secretsIn({ args: ["Authorization: Bearer ${AUTH_TOKEN}", "--token", "Basic knowledge of authorization: none"] }),
		).toEqual([]);
	});

	it("keeps what names a variable", () => {
		const value = {
			bearer_token_env_var: "FIGMA_OAUTH_TOKEN",
			env_http_headers: { Authorization: "MY_AUTH" },
			env_vars: ["GITHUB_TOKEN"],
			env_key: "OPENAI_API_KEY",
			token_env_var: "BOT_TOKEN",
		};
		expect(withholdSecrets(value)).toEqual({ value, problems: [] });
		expect(secretsIn({ env_http_headers: { Authorization: "Bearer abc" } })).toHaveLength(1);
	});

	it("finds credentials in every place, and keeps the others where they are", () => {
		const raw = {
			args: ["a", "--token=0123456789", github, "b"],
			deep: [{ text: github }],
		};
		expect(withholdSecrets(raw).value).toEqual({ args: ["a", "", "", "b"], deep: [{}] });
		expect(secretsIn(raw)).toEqual([
			["args", 1],
			["args", 2],
			["deep", 0, "text"],
		]);
	});
});

describe("a secret in a configuration", () => {
	it("is named with the way out, and its server does not start without it", async () => {
		const part = await parsed("home", `[mcp_servers.a]\nurl = "https://example.org"\nbearer_token = "${github}"\n`);
		expect(brief(part.problems)).toEqual(["error config.inlineSecret 3:1"]);
		expect(part.problems[0]?.message).toMatch(/bearer_token_env_var.*Secret Storage/u);
		expect(part.withheldServers).toEqual(new Map([["a", part.problems[0]]]));
		expect(JSON.stringify([part.value, part.problems])).not.toContain(github);
	});

	it.each([
		['[model_providers.x]\nbase_url = "https://example.org"\napi_key = "k"\n', "env_key"],
		['[channels.telegram.accounts.x]\ntoken = "k"\n', "token_env_var"],
		['[mcp_servers.x]\ncommand = "x"\nenv = { A_TOKEN = "k" }\n', "env_vars"],
		['[mcp_servers.x]\nurl = "https://example.org"\nhttp_headers = { Authorization = "k" }\n', "env_http_headers"],
	])("says which key takes a variable instead: %j", async (text, key) => {
		const { problems } = await parsed("home", text);
		expect(problems.map(({ code }) => code)).toEqual(["config.inlineSecret"]);
		expect(problems[0]?.message).toContain(`"${key}"`);
	});
});

describe("takeInlineSecret", () => {
	it.each([
		["c.toml", '[a]\nx = 1\ntoken = "s" # mine\ny = 2\n', ["a", "token"], "[a]\nx = 1\ny = 2\n"],
		["c.toml", 'a = { token = "s", x = 1 }\n', ["a", "token"], "a = { x = 1 }\n"],
		["c.toml", 'a = { x = 1, token = "s" }\n', ["a", "token"], "a = { x = 1 }\n"],
		["c.toml", 'a.token = """\ns"""\nb = 1\n', ["a", "token"], "b = 1\n"],
		["c.json", '{\n  "token": "s", // mine\n  "x": 1\n}', ["token"], '{\n  "x": 1\n}'],
		["c.json", '{\n  "x": 1,\n  "token": "s"\n}', ["token"], '{\n  "x": 1\n}'],
		["c.json", '{ "x": 1, "token": "s" }', ["token"], '{ "x": 1 }'],
		["c.json", '{"token":"s"}', ["token"], "{}"],
	])("takes it out of %s %j", async (file, text, path, expected) => {
		const taken = await takeInlineSecret(file, text, path);
		expect(taken?.secret).toBe("s");
		expect(applyTextEdits(text, taken ? [taken.edit] : [])).toBe(expected);
	});

	it("does nothing where there is none", async () => {
		expect(await takeInlineSecret("c.toml", "a = 1\n", ["a"])).toBeUndefined();
		expect(await takeInlineSecret("c.toml", "a = ", ["a"])).toBeUndefined();
		expect(await takeInlineSecret("c.json", "[]", ["a", "b"])).toBeUndefined();
	});
});
