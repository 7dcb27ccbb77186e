/** Which model a run gets, and a whole run on a server that speaks over HTTP. */
import path from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { createDemoProvider } from "../../../../src/core/models/demoModel.ts";
import { ModelRegistry } from "../../../../src/core/models/modelRegistry.ts";
import { createServerProviders } from "../../../../src/core/models/serverProvider.ts";
import { systemClock } from "../../../../src/core/ports/clock.ts";
import { noSecrets, type Secrets } from "../../../../src/core/ports/secrets.ts";
import { anAgentFile, aRuntime, hasEnded, untilRun } from "../../../fakes/aRuntime.ts";
import { geminiModel, geminiSignature, speakGemini } from "../../../fakes/geminiSpeech.ts";
import { speak, spokenModel, startModelServer } from "../../../fakes/modelServer.ts";
import { MemorySecrets } from "../../../fakes/memorySecrets.ts";
import { ScriptedModel } from "../../../fakes/scriptedModel.ts";
import { temporaryFolder, withFiles } from "../../../fakes/temporaryFolder.ts";

const scout = { ".agents/agents/scout.md": anAgentFile("scout"), "notes.txt": "seven\n" };
const configFile = ".agents/config.toml";

interface Setting {
	readonly home?: Readonly<Record<string, string>>;
	readonly repo?: Readonly<Record<string, string>>;
	readonly environment?: Readonly<Record<string, string>>;
	readonly chosen?: () => readonly string[];
	readonly secrets?: Secrets;
}

/** A runtime with the registry of the command line, in an environment of the test's own. */
async function realModels({ home = {}, repo = {}, environment = {}, chosen = () => [], secrets = noSecrets }: Setting) {
	const homeFolder = temporaryFolder(home);
	const demo = createDemoProvider({ pace: "off", clock: systemClock });
	const models = new ModelRegistry([demo], "demo/demo", {
		servers: (configured, prices) => createServerProviders(configured, { secrets, environment, prices }),
		chosen,
	});
	const repoFolder = temporaryFolder({ ...scout, ...repo });
	const runtime = await aRuntime(new ScriptedModel(), { models, homeFolder, repoFolder });
	const spawn = async (request: object = {}) => {
		const answer = await runtime.spawn({ agent: "scout", task: "What does notes.txt say?", ...request });
		if (!answer.accepted) throw new Error(answer.error);
		return answer;
	};
	return { runtime, homeFolder, repoFolder, spawn };
}

const provider = (id: string, url: string, more = "") => `[model_providers.${id}]\nbase_url = "${url}"\n${more}`;
const closed = "http://127.0.0.1:1/v1";

describe("a run on a server of home's configuration", () => {
	it("sends the key of env_key, calls the tools, and records usage and the model that answered", async () => {
		const answers = [
			speak("chat", { calls: [{ id: "c1", name: "read_file", pieces: ['{"path":', '"notes.txt"}'] }] }),
			speak("chat", { text: ["It says ", "seven.\n\nSUMMARY: Seven."] }),
		];
		const server = await startModelServer({ script: (_, index) => ({ body: answers[index] ?? [] }) });
		onTestFinished(() => server.close());
		const { runtime, spawn } = await realModels({
			home: { [configFile]: provider("loop", server.url, 'env_key = "LOOP_KEY"\n') },
			environment: { LOOP_KEY: "key-of-loop" },
		});
		const answer = await spawn({ model: "loop/some-model" });
		expect(answer).toMatchObject({ resolvedModel: "loop/some-model", modelApplied: true });
		const run = await untilRun(runtime, answer.runId, hasEnded);
		expect(run).toMatchObject({ state: "ok", summary: "Seven.", model: `loop/${spokenModel}` });
		expect(run.usage).toEqual({
			inputTokens: 200,
			outputTokens: 24,
			cacheReadTokens: 128,
			reasoningTokens: 10,
			usd: null,
			estimated: false,
		});
		const transcript = await runtime.transcripts.read(run, 0, 100);
		expect(transcript.find(({ kind }) => kind === "tool_result")?.text).toContain("seven");
		expect(server.requests.map(({ path: asked, headers }) => [asked, headers.authorization])).toEqual([
			["/v1/chat/completions", "Bearer key-of-loop"],
			["/v1/chat/completions", "Bearer key-of-loop"],
		]);
		expect(server.requests[0]?.body).toMatchObject({ model: "some-model" });
		expect(JSON.stringify([run, transcript])).not.toContain("key-of-loop");
	});

	it("carries the key of a static agent, and none of the user's where its fallback is none", async () => {
		const server = await startModelServer({
			script: () => ({ body: speak("chat", { text: ["Seven. SUMMARY: Seven."] }) }),
		});
		onTestFinished(() => server.close());
		const agents = '[[agents.list]]\nid = "clerk"\nauth_fallback = "none"\n[[agents.list]]\nid = "helper"\n';
		const secrets = new MemorySecrets();
		const { origin } = new URL(server.url);
		const { runtime, spawn } = await realModels({
			home: { [configFile]: provider("loop", server.url, `env_key = "LOOP_KEY"\n${agents}`) },
			environment: { LOOP_KEY: "key-of-user" },
			secrets,
		});
		const request = { task: "What?", model: "loop/some-model" };
		const without = await spawn({ agent: "clerk", ...request });
		expect(without).toMatchObject({ resolvedModel: "demo/demo", modelApplied: false });
		expect(without.warning).toContain("the agent clerk uses no keys but its own");
		await secrets.set({ providerId: "loop", origin, agentId: "clerk" }, "key-of-clerk");
		for (const agent of ["clerk", "helper", "scout"]) {
			const { runId } = await spawn({ agent, ...request });
			expect(await untilRun(runtime, runId, hasEnded)).toMatchObject({ state: "ok", agentId: agent });
		}
		const keys = server.requests.map(({ headers }) => headers.authorization);
		expect(keys).toEqual(["Bearer key-of-clerk", "Bearer key-of-user", "Bearer key-of-user"]);
		expect(JSON.stringify(runtime.runs.list())).not.toContain("key-of-clerk");
	});

	it("costs what home's configuration says, by the longest beginning of its name", async () => {
		const server = await startModelServer({
			script: () => ({ body: speak("chat", { text: ["Seven. SUMMARY: Seven."] }) }),
		});
		onTestFinished(() => server.close());
		const prices = (name: string, input: number) =>
			`[prices."${name}"]\ninput = ${input}\noutput = 100\ncached_input = 0\n`;
		const { runtime, spawn } = await realModels({
			home: { [configFile]: provider("loop", server.url) + prices("loop/", 9_000) + prices("loop/some", 5_000) },
		});
		const { runId } = await spawn({ model: "loop/some-model" });
		const { usage } = await untilRun(runtime, runId, hasEnded);
		const fresh = usage.inputTokens - usage.cacheReadTokens;
		expect(usage.usd).toBeCloseTo((fresh * 5_000 + usage.outputTokens * 100) / 1_000_000);
	});

	it("works the same by the package of another vendor, whose signatures go back with the results", async () => {
		const answers = [
			speakGemini({ thinking: ["Hm."], calls: [{ id: "c1", name: "read_file", pieces: ['{"path":"notes.txt"}'] }] }),
			speakGemini({ text: ["It says ", "seven.\n\nSUMMARY: Seven."] }),
		];
		const server = await startModelServer({ script: (_, index) => ({ body: answers[index] ?? [] }) });
		onTestFinished(() => server.close());
		const { runtime, spawn } = await realModels({
			home: { [configFile]: provider("gem", server.url, 'env_key = "GEM_KEY"\nwire_api = "google"\n') },
			environment: { GEM_KEY: "key-of-gem" },
		});
		const answer = await spawn({ model: "gem/gemini-9-flash" });
		expect(answer).toMatchObject({ resolvedModel: "gem/gemini-9-flash", modelApplied: true });
		const run = await untilRun(runtime, answer.runId, hasEnded);
		expect(run).toMatchObject({ state: "ok", summary: "Seven.", model: `gem/${geminiModel}` });
		expect(run.usage).toMatchObject({ inputTokens: 200, outputTokens: 24, cacheReadTokens: 128, reasoningTokens: 10 });
		const transcript = await runtime.transcripts.read(run, 0, 100);
		expect(transcript.find(({ kind }) => kind === "tool_result")?.text).toContain("seven");
		const asked = "/v1/models/gemini-9-flash:streamGenerateContent?alt=sse";
		expect(server.requests.map(({ path: at, headers }) => [at, headers["x-goog-api-key"]])).toEqual([
			[asked, "key-of-gem"],
			[asked, "key-of-gem"],
		]);
		expect(server.requests[1]?.body).toMatchObject({
			contents: [
				{ role: "user" },
				{ role: "model", parts: [{ functionCall: { name: "read_file" }, thoughtSignature: geminiSignature }] },
				{ role: "user", parts: [{ functionResponse: { name: "read_file" } }] },
			],
		});
		expect(JSON.stringify([run, transcript])).not.toContain("key-of-gem");
		expect((await runtime.catalog()).problems).toEqual([]);
	});

	it("needs no model's name: what its env_key set up is asked for its first", async () => {
		const server = await startModelServer({
			script: ({ path: asked }) =>
				asked === "/v1/models" ? { body: ['{"data":[{"id":"only"}]}'] } : { body: speak("chat", { text: ["Done."] }) },
		});
		onTestFinished(() => server.close());
		const { runtime, spawn } = await realModels({
			home: { [configFile]: provider("loop", server.url, 'env_key = "LOOP_KEY"\n') },
			environment: { LOOP_KEY: "key-of-loop" },
		});
		const answer = await spawn();
		expect(answer).toMatchObject({ resolvedModel: "loop/only", modelApplied: true });
		await untilRun(runtime, answer.runId, hasEnded);
	});

	it("is there as soon as the file says so, without anything being opened again", async () => {
		const { homeFolder, spawn } = await realModels({});
		expect(await spawn({ model: "late/x" })).toMatchObject({ resolvedModel: "demo/demo", modelApplied: false });
		withFiles(homeFolder, { [configFile]: provider("late", closed) });
		expect(await spawn({ model: "late/x" })).toMatchObject({ resolvedModel: "late/x", modelApplied: true });
	});

	it("never comes from a repo or its settings, and no key goes there", async () => {
		const config = provider("evil", closed, 'env_key = "ANTHROPIC_API_KEY"\n') + provider("anthropic", closed);
		const { runtime, repoFolder, spawn } = await realModels({
			repo: { [configFile]: config },
			environment: { ANTHROPIC_API_KEY: "key" },
		});
		expect(await spawn({ model: "evil/x" })).toMatchObject({ resolvedModel: "demo/demo", modelApplied: false });
		const catalog = await runtime.catalog();
		expect([...catalog.config.modelProviders.keys()]).toEqual([]);
		const file = path.join(repoFolder, configFile);
		const refused = catalog.problems.filter(
			(problem) => problem.file === file && problem.code === "config.notAllowedHere",
		);
		expect(refused).toHaveLength(2);
	});
});

describe("the model of a run", () => {
	const home = { [configFile]: `${provider("a", closed)}[model_roles]\nMain = "a/of-role"\n` };
	const agent = (fields: string) => ({ ".agents/agents/scout.md": anAgentFile("scout", fields) });
	const defaults = '[agents.defaults.subagents]\nmodel = "a/of-defaults"\n';

	it("is the call's, else the agent's, else its role's, else that of the defaults, else what was chosen", async () => {
		const withDefaults = { [configFile]: `${home[configFile]}${defaults}` };
		const resolved = async (setting: Setting, request: object = {}) => {
			const { spawn } = await realModels({ chosen: () => ["a/chosen"], home: withDefaults, ...setting });
			const { resolvedModel, modelApplied, warning } = await spawn(request);
			expect({ modelApplied, warning }).toEqual({ modelApplied: true, warning: undefined });
			return resolvedModel;
		};
		const both = { repo: agent("model: a/of-agent\nmodelRole: Main\n") };
		expect(await resolved(both, { model: "a/of-call" })).toBe("a/of-call");
		expect(await resolved(both)).toBe("a/of-agent");
		expect(await resolved({ repo: agent("modelRole: Main\n") })).toBe("a/of-role");
		expect(await resolved({})).toBe("a/of-defaults");
		expect(await resolved({ home })).toBe("a/chosen");
	});

	it("falls back with a note where the role is mapped to nothing, unless the call names one", async () => {
		const { spawn } = await realModels({ home, repo: agent("modelRole: Compaction\n"), chosen: () => ["a/chosen"] });
		const answer = await spawn();
		expect(answer).toMatchObject({ resolvedModel: "a/chosen", modelApplied: false });
		expect(answer.warning).toContain("“Compaction”, which is mapped to no model, so it runs on a/chosen");
		expect(await spawn({ model: "a/x" })).toMatchObject({ resolvedModel: "a/x", modelApplied: true });
		expect((await spawn({ model: "a/x" })).warning).toBeUndefined();
	});

	it("is the next in line where there is no key, and the answer says which is missing and what to do", async () => {
		const { spawn } = await realModels({ home, chosen: () => ["a/chosen"] });
		const answer = await spawn({ model: "anthropic/claude-x" });
		expect(answer).toMatchObject({ resolvedModel: "a/chosen", modelApplied: false });
		expect(answer.warning).toContain("Anthropic has no key");
		expect(answer.warning).toContain("ANTHROPIC_API_KEY");
	});

	it("is the demo, not a paid one, where a key merely lies in the environment", async () => {
		const { spawn } = await realModels({ environment: { ANTHROPIC_API_KEY: "key", OPENAI_API_KEY: "key" } });
		expect(await spawn()).toMatchObject({ resolvedModel: "demo/demo", modelApplied: true });
	});

	it("is chosen by a repo's defaults only among what the user has set up", async () => {
		const inRepo = (model: string) => ({ [configFile]: defaults.replace("a/of-defaults", model) });
		const environment = { ANTHROPIC_API_KEY: "key", NAMED: "key" };
		const named = { [configFile]: provider("named", closed, 'env_key = "NAMED"\n') };
		const refused = await realModels({ repo: inRepo("anthropic/claude-x"), environment });
		const answer = await refused.spawn();
		expect(answer).toMatchObject({ resolvedModel: "demo/demo", modelApplied: false });
		expect(answer.warning).toContain("which you have not set up");
		const followed = await realModels({ home: named, repo: inRepo("named/x"), environment });
		expect(await followed.spawn()).toMatchObject({ resolvedModel: "named/x", modelApplied: true });
	});
});
