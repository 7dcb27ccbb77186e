import { describe, expect, it, onTestFinished } from "vitest";
import { builtinProviders, knownProviderIds } from "../../../../src/core/models/builtinProviders.ts";
import {
	chooseDefault,
	type ConfiguredProvider,
	createServerProviders,
} from "../../../../src/core/models/serverProvider.ts";
import { MemorySecrets } from "../../../fakes/memorySecrets.ts";
import { startModelServer } from "../../../fakes/modelServer.ts";

const never = new AbortController().signal;

function providers(
	configured: Readonly<Record<string, ConfiguredProvider>> = {},
	environment: Readonly<Record<string, string>> = {},
	secrets = new MemorySecrets(),
) {
	const all = createServerProviders(new Map(Object.entries(configured)), { secrets, environment });
	const get = (id: string) => {
		const found = all.find((provider) => provider.id === id);
		if (!found) throw new Error(`There is no provider ${id}`);
		return found;
	};
	return { all, get, secrets };
}

/** A server that lists these models and remembers with which headers and for what it was asked. */
async function listing(...ids: readonly string[]) {
	const body = [JSON.stringify({ data: ids.map((id) => ({ id })) })];
	const server = await startModelServer({ script: () => ({ body }) });
	onTestFinished(() => server.close());
	return server;
}

describe("The providers behind an address", () => {
	it("are the configured ones in their order, then the built-in ones that none of them replaces", () => {
		const own = { mine: { baseUrl: "https://a.example/v1" }, openai: { baseUrl: "https://b.example/v1" } };
		expect(providers(own).all.map(({ id }) => id)).toEqual([
			"mine",
			"openai",
			"anthropic",
			"google",
			"mistral",
			"ollama",
			"lmstudio",
		]);
		expect(knownProviderIds).toEqual(["demo", "vscode", ...builtinProviders.map(({ id }) => id)]);
	});

	it("speak Google's dialect where the configuration says so, and are set up by its variable", async () => {
		const server = await startModelServer({ script: () => ({ body: ['{"models":[{"name":"models/gem-1"}]}'] }) });
		onTestFinished(() => server.close());
		const configured = { gem: { baseUrl: server.url, wireApi: "google", envKey: "G" } } as const;
		const gem = providers(configured, { G: "key-12345" }).get("gem");
		expect([await gem.findObstacle(), await gem.isSetUp()]).toEqual([undefined, true]);
		expect(await gem.defaultModelId()).toBe("gem-1");
		expect(server.requests[0]?.headers).toMatchObject({ "x-goog-api-key": "key-12345" });
	});

	it("send the headers and the query of the configuration, and the variables' values as secrets", async () => {
		const server = await startModelServer({
			script: ({ headers }) => ({ status: 400, body: [`no ${String(headers["x-team"])}`] }),
		});
		onTestFinished(() => server.close());
		const provider = {
			baseUrl: server.url,
			httpHeaders: { "X-App": "muster" },
			envHttpHeaders: { "X-Team": "TEAM", "X-None": "NOT_SET" },
			queryParams: { version: "2" },
		};
		const listed = await providers({ mine: provider }, { TEAM: "canary-team" }).get("mine").listModels(never);
		const [request] = server.requests;
		expect(request?.path).toBe("/v1/models?version=2");
		expect(request?.headers).toMatchObject({ "x-app": "muster", "x-team": "canary-team" });
		expect(request?.headers).not.toHaveProperty("x-none");
		expect(listed).toMatchObject({ ok: false, error: { message: "no [secret]" } });
	});

	it("do not send a variable's value to another machine over http", async () => {
		const provider = { baseUrl: "http://models.example/v1", envHttpHeaders: { "X-Team": "TEAM" } };
		const listed = await providers({ mine: provider }, { TEAM: "canary-team" }).get("mine").listModels(never);
		expect(listed).toMatchObject({ ok: false, error: { kind: "auth" } });
	});
});

describe("The key of a provider", () => {
	it("that was entered comes before the variable, trimmed", async () => {
		const { get, secrets } = providers({}, { ANTHROPIC_API_KEY: " from-environment\n" });
		const anthropic = get("anthropic");
		expect(await anthropic.findKey()).toEqual({
			key: "from-environment",
			from: "found",
			variable: "ANTHROPIC_API_KEY",
		});
		await secrets.set({ providerId: "anthropic", origin: "https://api.anthropic.com" }, " entered \n");
		expect(await anthropic.findKey()).toEqual({ key: "entered", from: "entered" });
	});

	it.each([
		[{ GEMINI_API_KEY: "a", GOOGLE_GENERATIVE_AI_API_KEY: "b" }, "a", "GEMINI_API_KEY"],
		[{ GEMINI_API_KEY: " ", GOOGLE_GENERATIVE_AI_API_KEY: "b" }, "b", "GOOGLE_GENERATIVE_AI_API_KEY"],
	])("of Google is in the one variable or the other: %j", async (environment, key, variable) => {
		expect(await providers({}, environment).get("google").findKey()).toEqual({ key, from: "found", variable });
		const moved = { google: { baseUrl: "https://elsewhere.example/v1beta" } };
		expect(await providers(moved, environment).get("google").findKey()).toBeUndefined();
		const named = { google: { baseUrl: "https://generativelanguage.googleapis.com/v1beta", envKey: "MINE" } };
		expect(await providers(named, environment).get("google").findKey()).toBeUndefined();
	});

	it("stays behind when the address moves to another origin, entered or from the environment", async () => {
		const secrets = new MemorySecrets();
		await secrets.set({ providerId: "openai", origin: "https://api.openai.com" }, "entered");
		const moved = { openai: { baseUrl: "https://elsewhere.example/v1" } };
		const openai = providers(moved, { OPENAI_API_KEY: "found" }, secrets).get("openai");
		expect(await openai.findKey()).toBeUndefined();
		const same = { openai: { baseUrl: "https://api.openai.com/v1" } };
		expect(await providers(same, {}, secrets).get("openai").findKey()).toMatchObject({ key: "entered" });
	});

	it("is named in the obstacle when it is missing, with both ways to give it", async () => {
		const obstacle = await providers().get("anthropic").findObstacle();
		expect(obstacle).toContain("Anthropic has no key");
		expect(obstacle).toContain("Muster: Set API Key…");
		expect(obstacle).toContain("ANTHROPIC_API_KEY");
	});

	it("is not needed by a local server, nor by one that names no variable", async () => {
		const { get } = providers({ mine: { baseUrl: "https://a.example/v1" } });
		expect(await get("ollama").findObstacle()).toBeUndefined();
		expect(await get("mine").findObstacle()).toBeUndefined();
	});

	it("that cannot be read is an obstacle without the reason's words", async () => {
		const secrets = new MemorySecrets();
		secrets.get = () => Promise.reject(new Error("locked: canary"));
		const openai = providers({}, {}, secrets).get("openai");
		expect(await openai.findObstacle()).toBe("The key of OpenAI could not be read from where it is kept.");
		expect(await openai.isSetUp()).toBe(false);
	});

	it("makes a provider set up when it was entered or its variable was named, not when it merely lies there", async () => {
		const { get, secrets } = providers(
			{ named: { baseUrl: "https://a.example/v1", envKey: "NAMED" } },
			{ NAMED: "key", OPENAI_API_KEY: "found" },
		);
		await secrets.set({ providerId: "anthropic", origin: "https://api.anthropic.com" }, "entered");
		const ids = ["named", "anthropic", "openai", "ollama"];
		expect(await Promise.all(ids.map((id) => get(id).isSetUp()))).toEqual([true, true, false, false]);
	});

	it("can be tried before it is kept", async () => {
		const server = await listing("a");
		const { get, secrets } = providers({ mine: { baseUrl: server.url } });
		expect(await get("mine").withKey("tried-key").testConnection(never)).toEqual({ ok: true });
		expect(server.requests[0]?.headers.authorization).toBe("Bearer tried-key");
		expect(secrets.kept.size).toBe(0);
	});
});

describe("The model of a provider that is set up", () => {
	it("is the first that the server lists, asked once", async () => {
		const server = await listing("first", "second");
		const mine = providers({ mine: { baseUrl: server.url, envKey: "KEY" } }, { KEY: "key" }).get("mine");
		expect([await mine.defaultModelId(), await mine.defaultModelId()]).toEqual(["first", "first"]);
		expect(server.requests).toHaveLength(1);
	});

	it("is asked for again where the server did not say", async () => {
		const server = await startModelServer({
			script: (_, index) => (index === 0 ? { status: 503 } : { body: ['{"data":[{"id":"late"}]}'] }),
		});
		onTestFinished(() => server.close());
		const mine = providers({ mine: { baseUrl: server.url } }).get("mine");
		expect([await mine.defaultModelId(), await mine.defaultModelId()]).toEqual([undefined, "late"]);
	});

	it.each([
		["openai", ["text-embedding-3", "gpt-5", "gpt-5.2-pro", "gpt-5.10", "gpt-5.9", "sora"], "gpt-5.10"],
		[
			"anthropic",
			["claude-opus-9", "claude-sonnet-4-20250514", "claude-sonnet-4-5-20250929"],
			"claude-sonnet-4-5-20250929",
		],
		[
			"google",
			["gemini-2.5-flash", "gemini-9-pro", "gemini-3.10-flash", "gemini-3.9-flash", "gemini-9-flash-lite"],
			"gemini-3.10-flash",
		],
		["mistral", ["codestral-latest", "mistral-large-latest", "mistral-medium-latest"], "mistral-medium-latest"],
	])("is the newest usual one of %s", (id, ids, expected) => {
		const usual = builtinProviders.find((provider) => provider.id === id)?.usual;
		expect(
			chooseDefault(
				ids.map((name) => ({ id: name, label: name })),
				usual,
			),
		).toBe(expected);
	});
});
