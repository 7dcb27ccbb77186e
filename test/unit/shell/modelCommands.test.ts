/** *Set API Key…* and *Pick Model* on a server that speaks over HTTP, with dialogs that the test answers. */
import { beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { builtinProviders } from "../../../src/core/models/builtinProviders.ts";
import { EditorModels } from "../../../src/shell/models/editorModels.ts";
import { pickModelCommand } from "../../../src/shell/models/pickModelCommand.ts";
import { setApiKeyCommand } from "../../../src/shell/models/setApiKeyCommand.ts";
import { editor, resetEditor } from "../../fakes/editorStandIn.ts";
import { speak, startModelServer } from "../../fakes/modelServer.ts";
import { RecordingLogger } from "../../fakes/recordingLogger.ts";
import { temporaryFolder } from "../../fakes/temporaryFolder.ts";
import { aRequest } from "../core/models/askWire.ts";

vi.mock("vscode", () => import("../../fakes/editorStandIn.ts"));
beforeEach(() => {
	resetEditor();
	for (const { envKey = "", otherEnvKeys = [] } of builtinProviders) {
		for (const name of [envKey, ...otherEnvKeys].filter(Boolean)) vi.stubEnv(name, "");
	}
	onTestFinished(() => void vi.unstubAllEnvs());
});

const goodKey = "good-key-12345";

/** A server with two models that knows one key. */
async function aServer() {
	const server = await startModelServer({
		script: ({ headers }) =>
			headers.authorization === `Bearer ${goodKey}`
				? { body: ['{"data":[{"id":"one"},{"id":"org/two"}]}'] }
				: { status: 401, body: [`{"error":{"message":"bad key ${headers.authorization}"}}`] },
	});
	onTestFinished(() => server.close());
	return server;
}

/** The usual servers on this machine, at these addresses instead of their usual ports. */
const localAt = (urls: Readonly<Record<string, string>>) =>
	builtinProviders.map((provider) => {
		const free = "http://127.0.0.1:1/v1";
		return provider.isLocal ? { ...provider, baseUrl: urls[provider.id] ?? free } : provider;
	});

async function theModels(config = "", locals: Readonly<Record<string, string>> = {}) {
	editor.settings.set("homeDir", temporaryFolder({ ".agents/config.toml": config }));
	editor.settings.set("demo.pace", "off");
	editor.settings.set("demo.script", "");
	editor.settings.set("defaultModel", "");
	editor.settings.set("webSearch.backend", "off");
	editor.settings.set("webSearch.baseUrl", "");
	const kept = new Map<string, string>();
	const state = new Map<string, unknown>();
	const keeping = {
		secrets: {
			get: async (name: string) => kept.get(name),
			store: async (name: string, value: string) => void kept.set(name, value),
			delete: async (name: string) => void kept.delete(name),
		},
		globalState: {
			get: (name: string) => state.get(name),
			update: async (name: string, value: unknown) => void state.set(name, value),
		},
	};
	const logger = new RecordingLogger();
	const given = keeping as unknown as Parameters<typeof EditorModels.open>[0];
	const models = await EditorModels.open(given, logger, localAt(locals));
	return { models, kept, state, logger };
}

const configured = (url: string) =>
	`[model_providers.loop]\nname = "Loop"\nbase_url = "${url}"\nenv_key = "NO_SUCH_KEY"\n`;

describe("Set API Key", () => {
	it("tries the key, keeps it for the server's origin, and says that it works", async () => {
		const server = await aServer();
		const { models, kept, logger } = await theModels(configured(server.url));
		editor.answers = ["Loop", ` ${goodKey} `];
		expect(await setApiKeyCommand(models)).toBe("loop");
		expect([...kept]).toEqual([[`muster.key:["loop","${new URL(server.url).origin}"]`, goodKey]]);
		expect(editor.said).toEqual(["The key of Loop is kept. The connection works."]);
		expect(editor.prompts).toEqual([{ password: true, problem: undefined }]);
		expect(editor.offered[0]).toEqual([
			"Loop",
			"Anthropic",
			"OpenAI",
			"Google",
			"Mistral",
			"",
			"$(add) OpenAI-compatible server…",
		]);
		expect((await models.registry.resolve([])).model.ref).toBe("loop/one");
		expect(logger.lines.join("\n")).not.toContain(goodKey);
	});

	it("takes the key of one agent, which no other uses and which uses no other where its fallback is none", async () => {
		const server = await aServer();
		const agents = '[[agents.list]]\nid = "clerk"\nauth_fallback = "none"\n[[agents.list]]\nid = "helper"\n';
		const { models, kept } = await theModels(configured(server.url) + agents);
		const { origin } = new URL(server.url);
		editor.answers = ["Loop", "clerk", goodKey];
		expect(await setApiKeyCommand(models)).toBe("loop");
		expect(editor.offered[1]).toEqual(["All agents", "clerk", "helper"]);
		expect([...kept.keys()]).toEqual([`muster.key:["loop","${origin}","clerk"]`]);
		expect(editor.said.at(-1)).toBe("The key of Loop (clerk) is kept. The connection works.");
		const refs = async (chain: Parameters<typeof models.registry.forAgents>[0]) =>
			(await models.registry.forAgents(chain).resolve(["loop/one"])).model.ref;
		expect(await refs({ agents: ["clerk"], isShared: false })).toBe("loop/one");
		expect(await refs({ agents: ["helper"], isShared: true })).toBe("demo/demo");

		editor.answers = ["Loop", "All agents", goodKey];
		await setApiKeyCommand(models);
		expect([...kept.keys()].at(-1)).toBe(`muster.key:["loop","${origin}"]`);
		expect(await refs({ agents: ["helper"], isShared: true })).toBe("loop/one");
		editor.answers = ["Loop", "clerk", "Remove the key"];
		await setApiKeyCommand(models);
		expect(kept.size).toBe(1);
		expect(await refs({ agents: ["clerk"], isShared: false })).toBe("demo/demo");
	});

	it("takes the key of the search service that is set, and tries it with a search", async () => {
		const server = await startModelServer({
			script: ({ headers }) =>
				headers["x-subscription-token"] === goodKey ? { body: ['{"type":"search"}'] } : { status: 401, body: ["{}"] },
		});
		onTestFinished(() => server.close());
		const { models, kept } = await theModels();
		expect(models.findSearch()).toBeUndefined();
		editor.settings.set("webSearch.backend", "brave");
		editor.settings.set("webSearch.baseUrl", server.url);
		editor.answers = ["Brave Search", "wrong-key-12345"];
		await expect(setApiKeyCommand(models)).rejects.toThrow("Brave Search does not accept this key, so it was not kept");
		editor.answers = ["Brave Search", goodKey];
		expect(await setApiKeyCommand(models)).toBe("brave");
		expect([...kept]).toEqual([[`muster.key:["brave","${new URL(server.url).origin}"]`, goodKey]]);
		expect(await models.findSearch()?.search("pens", 1, new AbortController().signal)).toEqual({
			ok: true,
			results: [],
		});
		expect(server.requests.map(({ path }) => path)).toEqual([
			"/v1/web/search?q=test&count=1",
			"/v1/web/search?q=test&count=1",
			"/v1/web/search?q=pens&count=1",
		]);
	});

	it("does not keep a key that the server refuses, and does not repeat it", async () => {
		const server = await aServer();
		const { models, kept } = await theModels(configured(server.url));
		editor.answers = ["Loop", "wrong-key-12345"];
		const refused = await setApiKeyCommand(models).catch((error: Error) => error);
		expect(refused).toMatchObject({ problem: { code: "key.refused" } });
		expect((refused as Error).message).toContain("Loop does not accept this key");
		expect((refused as Error).message).not.toContain("wrong-key-12345");
		expect(kept.size).toBe(0);
	});

	it("keeps a key that cannot be tried now, and says so", async () => {
		const { models, kept } = await theModels(configured("http://127.0.0.1:1/v1"));
		editor.answers = ["Loop", goodKey];
		await setApiKeyCommand(models);
		expect(kept.size).toBe(1);
		expect(editor.said[0]).toContain("The key of Loop is kept. But the connection does not work now:");
	});

	it("keeps a key that nothing can try, and says that it was not tried", async () => {
		const { models, kept } = await theModels(`${configured("http://127.0.0.1:1")}wire_api = "bedrock"\n`);
		editor.answers = ["Loop", goodKey];
		expect(await setApiKeyCommand(models)).toBe("loop");
		expect([...kept.values()]).toEqual([goodKey]);
		expect(editor.said).toEqual(["The key of Loop is kept. It was not tried."]);
	});

	it("offers to remove the key that is there", async () => {
		const server = await aServer();
		const { models, kept } = await theModels(configured(server.url));
		editor.answers = ["Loop", goodKey];
		await setApiKeyCommand(models);
		editor.answers = ["Loop", "Remove the key"];
		expect(await setApiKeyCommand(models)).toBeUndefined();
		expect(kept.size).toBe(0);
		expect(editor.said.at(-1)).toBe("The key of Loop was removed.");
	});

	it("adds an OpenAI-compatible server to the user's settings, without the key, and leaves the others there", async () => {
		const server = await aServer();
		const { models, kept } = await theModels();
		const other = { base_url: "https://a.example/v1" };
		editor.settings.set("modelProviders", { other });
		editor.answers = ["$(add) OpenAI-compatible server…", "mine", server.url, goodKey];
		expect(await setApiKeyCommand(models)).toBe("mine");
		expect(editor.settings.get("modelProviders")).toEqual({
			other,
			mine: { base_url: server.url, wire_api: "chat" },
		});
		expect([...kept.values()]).toEqual([goodKey]);
		expect(models.registry.find("mine/one")?.ref).toBe("mine/one");
	});

	it.each([[["Anthropic"]], [["Anthropic", "with space"]], [["$(add) OpenAI-compatible server…", "openai"]], [[]]])(
		"changes nothing when it is left, or what is typed cannot be: %j",
		async (answers) => {
			const { models, kept } = await theModels();
			editor.answers = [...answers];
			expect(await setApiKeyCommand(models)).toBeUndefined();
			expect([kept.size, editor.settings.has("modelProviders")]).toEqual([0, false]);
		},
	);
});

describe("Pick Model", () => {
	const whenReady = (label: string) => (items: readonly { label: string }[], isBusy: boolean) =>
		isBusy ? undefined : items.find((item) => item.label === label);

	it("lists what servers with a key and VS Code have, and keeps the choice", async () => {
		const server = await aServer();
		const bare = '[model_providers.bare]\nbase_url = "http://127.0.0.1:1/v1"\nenv_key = "NO_SUCH_KEY"\n';
		const { models } = await theModels(configured(server.url) + bare);
		await models.secrets.set({ providerId: "loop", origin: new URL(server.url).origin }, goodKey);
		editor.models = [{ vendor: "copilot", id: "gpt-x", family: "gpt-x", name: "GPT X" }];
		let labels: string[] = [];
		editor.choose = (items, isBusy) => {
			labels = items.map(({ label }) => label);
			return whenReady("org/two")(items, isBusy);
		};
		expect(await pickModelCommand(models)).toBe("loop/org/two");
		expect(labels.slice(0, 3)).toEqual(["Loop", "one", "org/two"]);
		expect(labels).toEqual(expect.arrayContaining(["VS Code", "GPT X", "Demo", "$(key) Set API Key…"]));
		expect(labels).not.toContain("bare");
		expect((await models.registry.resolve([])).model.ref).toBe("loop/org/two");
	});

	it("marks the current one, and takes the choice back", async () => {
		const { models } = await theModels();
		await models.pick("demo/demo");
		let labels: string[] = [];
		editor.choose = (items, isBusy) => {
			labels = items.map(({ label }) => label);
			return whenReady("$(close) Clear the choice")(items, isBusy);
		};
		await pickModelCommand(models);
		expect(labels).toContain("$(check) Demo");
		expect(models.picked).toBeUndefined();
	});

	it("shows a server that does not answer as such, and lists the others", async () => {
		const server = await aServer();
		const { models } = await theModels(configured(server.url));
		await models.secrets.set({ providerId: "loop", origin: new URL(server.url).origin }, "wrong-key-12345");
		let shown: readonly { readonly label: string }[] = [];
		editor.choose = (items) => {
			shown = items;
			return undefined;
		};
		expect(await pickModelCommand(models)).toBeUndefined();
		expect(shown.map(({ label }) => label)).toEqual(
			expect.arrayContaining(["$(warning) Loop does not answer", "Demo"]),
		);
		expect(JSON.stringify(shown)).not.toContain("wrong-key-12345");
		expect(models.picked).toBeUndefined();
	});

	it("comes after the setting muster.defaultModel", async () => {
		const server = await aServer();
		const { models } = await theModels(configured(server.url).replace(/env_key.*\n/u, ""));
		await models.servers();
		await models.pick("loop/picked");
		editor.settings.set("defaultModel", "loop/of-setting");
		expect((await models.registry.resolve([])).model.ref).toBe("loop/of-setting");
		editor.settings.set("defaultModel", "");
		expect((await models.registry.resolve([])).model.ref).toBe("loop/picked");
	});

	/** As Ollama and LM Studio list what they have, and answer. */
	async function aLocalServer(...ids: readonly string[]) {
		const data = ids.map((id) => ({ id, object: "model", created: 1_760_000_000, owned_by: "library" }));
		const list = { headers: { "content-type": "application/json" }, body: [JSON.stringify({ object: "list", data })] };
		const said = { body: speak("chat", { text: ["Hello from ", "here."] }) };
		const server = await startModelServer({ script: ({ path }) => (path === "/v1/models" ? list : said) });
		onTestFinished(() => server.close());
		return server;
	}

	it("finds Ollama on this machine, offers its models without a key or a setting, and keeps and uses the chosen one", async () => {
		const server = await aLocalServer("llama3.2:latest", "qwen3:8b");
		const { models, state } = await theModels("", { ollama: server.url });
		expect(server.requests).toEqual([]);
		let labels: string[] = [];
		editor.choose = (items, isBusy) => {
			labels = items.map(({ label }) => label);
			return whenReady("qwen3:8b")(items, isBusy);
		};
		expect(await pickModelCommand(models)).toBe("ollama/qwen3:8b");
		expect(labels.slice(0, 3)).toEqual(["Ollama", "llama3.2:latest", "qwen3:8b"]);
		// A server that is not there is nothing to complain about.
		expect(labels.filter((label) => label.includes("LM Studio"))).toEqual([]);
		expect([...state.values()]).toEqual(["ollama/qwen3:8b"]);

		const { model, warning } = await models.registry.resolve([]);
		expect([model.ref, warning]).toEqual(["ollama/qwen3:8b", undefined]);
		let text = "";
		for await (const part of model.stream(aRequest())) if (part.type === "text-delta") text += part.delta;
		expect(text).toBe("Hello from here.");
		expect(server.requests.map(({ path, headers }) => [path, headers.authorization])).toEqual([
			["/v1/models", undefined],
			["/v1/chat/completions", undefined],
		]);
		expect(server.requests[1]?.body).toMatchObject({ model: "qwen3:8b" });
	});

	it("finds Ollama and LM Studio beside each other, and asks neither after it is closed", async () => {
		const [ollama, studio] = [await aLocalServer("llama3.2:latest"), await aLocalServer("openai/gpt-oss-20b")];
		const { models } = await theModels("", { ollama: ollama.url, lmstudio: studio.url });
		let labels: string[] = [];
		editor.choose = (items, isBusy) => {
			labels = items.map(({ label }) => label);
			return whenReady("nothing of this")(items, isBusy);
		};
		expect(await pickModelCommand(models)).toBeUndefined();
		expect(labels.slice(0, 4)).toEqual(["Ollama", "llama3.2:latest", "LM Studio", "openai/gpt-oss-20b"]);
		expect(models.picked).toBeUndefined();
		expect((await models.registry.resolve([])).model.ref).toBe("demo/demo");
		expect([ollama.requests.length, studio.requests.length]).toEqual([1, 1]);
	});

	it("asks Ollama at the person's own address, and not at the usual one", async () => {
		const [usual, own] = [await aLocalServer("usual"), await aLocalServer("own")];
		const config = `[model_providers.ollama]\nname = "My Ollama"\nbase_url = "${own.url}"\n`;
		const { models } = await theModels(config, { ollama: usual.url });
		editor.choose = whenReady("own");
		expect(await pickModelCommand(models)).toBe("ollama/own");
		expect([usual.requests.length, own.requests.length]).toEqual([0, 1]);
	});
});
