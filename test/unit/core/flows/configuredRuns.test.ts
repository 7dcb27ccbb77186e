/** Whole runs under what `config.toml` and settings say of agents: static agents, defaults and role packs. */
import { describe, expect, it } from "vitest";
import type { ModelRequest } from "../../../../src/core/models/modelPort.ts";
import { ModelRegistry } from "../../../../src/core/models/modelRegistry.ts";
import type { Runtime } from "../../../../src/core/runtime.ts";
import type { RuntimeOptions } from "../../../../src/core/runtimeOptions.ts";
import { anAgentFile, aRuntime, hasEnded, untilRun } from "../../../fakes/aRuntime.ts";
import { aSession } from "../../../fakes/aStore.ts";
import { aCall, ScriptedModel, type ScriptedReply } from "../../../fakes/scriptedModel.ts";
import { temporaryFolder, withFiles } from "../../../fakes/temporaryFolder.ts";
import { TwoFacedModel } from "../../../fakes/twoFacedModel.ts";

const done = { text: "Done. SUMMARY: Done." };
const repoFiles = { ".agents/agents/scout.md": anAgentFile("scout"), "notes.txt": "seven\n" };
const defaults = (...lines: string[]) => `[agents.defaults.subagents]\n${lines.join("\n")}\n`;
const listed = (id: string, ...lines: string[]) => `[[agents.list]]\nid = "${id}"\n${lines.join("\n")}\n`;

const chat = { ...aSession("agent:main:chat-1", "main"), agentId: "main" };

/** Has a model of every name, each of which answers at once. */
const anyModel = {
	id: "demo",
	label: "Demo",
	model: (id: string) => Object.assign(new ScriptedModel(done), { ref: `demo/${id}` as const }),
};

interface Place {
	readonly runtime: Runtime;
	readonly model: ScriptedModel;
	readonly home: string;
	readonly repo: string;
}

interface Files {
	readonly home?: string;
	readonly repo?: string;
	/** Other files of the home. */
	readonly beside?: Readonly<Record<string, string>>;
}

async function aPlace(
	{ home: config = "", repo: repoConfig, beside = {} }: Files,
	replies: readonly ScriptedReply[],
	options: Partial<RuntimeOptions> = {},
): Promise<Place> {
	const home = temporaryFolder({ ".agents/config.toml": config, ...beside });
	const repo = temporaryFolder({
		...repoFiles,
		...(repoConfig !== undefined && { ".agents/config.toml": repoConfig }),
	});
	const model = new ScriptedModel(...replies);
	return { runtime: await aRuntime(model, { homeFolder: home, repoFolder: repo, ...options }), model, home, repo };
}

async function accepted(runtime: Runtime, request: object) {
	const answer = await runtime.spawn(request);
	if (!answer.accepted) throw new Error(answer.error);
	return answer;
}

async function ended(runtime: Runtime, request: object) {
	const { runId } = await accepted(runtime, request);
	return untilRun(runtime, runId, hasEnded);
}

const offered = (request: ModelRequest | undefined) => request?.tools.map(({ name }) => name) ?? [];

/** What each tool call of the last request got, in order. */
function results(requests: readonly ModelRequest[]): readonly string[] {
	return (requests.at(-1)?.messages ?? []).flatMap((message) => (message.role === "tool" ? [message.text] : []));
}

describe("a static agent", () => {
	it("is spawned by a person, with its prompt, its tools, and its name in the key", async () => {
		const coder = listed(
			"coder",
			'system_prompt = "You review code."',
			'tools = { allow = ["read", "grep", "exec"], deny = ["exec"] }',
		);
		const { runtime, model } = await aPlace({ home: coder }, [done]);
		const answer = await accepted(runtime, { agent: "coder", task: "Look" });
		expect(answer.childSessionKey).toMatch(/^agent:coder:subagent:/u);
		expect(await untilRun(runtime, answer.runId, hasEnded)).toMatchObject({ state: "ok", agentId: "coder" });
		expect(model.requests[0]?.system.endsWith("You review code.")).toBe(true);
		expect(offered(model.requests[0]).toSorted()).toEqual(["grep", "read_file"]);
	});

	it("of settings is one like any other, and beats a file of its name", async () => {
		const settings = { user: { agents: { list: [{ id: "scout", system_prompt: "The user's own." }] } } };
		const { runtime, model } = await aPlace({}, [done], { catalogSettings: () => ({ settings }) });
		await ended(runtime, { agent: "scout", task: "Look" });
		expect(model.requests[0]?.system.endsWith("The user's own.")).toBe(true);
	});

	it("does not come from a repo", async () => {
		const { runtime } = await aPlace({ repo: listed("theirs") }, []);
		expect(await runtime.spawn({ agent: "theirs", task: "Look" })).toMatchObject({
			status: "error",
			error: 'There is no agent named "theirs". Available: scout.',
		});
	});

	it("works in its own folder, whose configuration stands in for home's", async () => {
		const own = temporaryFolder({
			"own.txt": "mine\n",
			".agents/config.toml": defaults("timeout_seconds = 70"),
		});
		const home = listed("coder", `workspace = ${JSON.stringify(own)}`) + defaults("timeout_seconds = 80");
		const { runtime, model } = await aPlace({ home }, [{ calls: [aCall("read_file", { path: "own.txt" })] }, done]);
		const run = await ended(runtime, { agent: "coder", task: "Look" });
		expect(results(model.requests)).toEqual(["1\tmine"]);
		expect(run.request).toMatchObject({ repoDir: own, runTimeoutSeconds: 70 });
	});

	it("whose folder is not there is refused by name, and leaves no record", async () => {
		const { runtime } = await aPlace({ home: listed("coder", 'workspace = "/not/there"') }, []);
		expect(await runtime.spawn({ agent: "coder", task: "Look" })).toMatchObject({
			status: "error",
			error: expect.stringContaining("/not/there, which is not a folder that exists") as string,
		});
		expect(runtime.runs.list()).toEqual([]);
	});

	it("runs on its setting for subagents, else on the default of all, else on its own model", async () => {
		const { runtime, home } = await aPlace({}, [done, done, done, done], {
			models: new ModelRegistry([anyModel], "demo/fallback"),
		});
		const model = async (config: string, request: object = {}) => {
			withFiles(home, { ".agents/config.toml": config });
			return (await ended(runtime, { agent: "coder", task: "Look", ...request })).model;
		};
		const own = (rest = "") => listed("coder", 'model = "demo/own"', rest);
		expect(await model(own())).toBe("demo/own");
		expect(await model(own() + defaults('model = "demo/all"'))).toBe("demo/all");
		const subagents = own('subagents = { model = "demo/sub" }') + defaults('model = "demo/all"');
		expect(await model(subagents)).toBe("demo/sub");
		expect(await model(subagents, { model: "demo/call" })).toBe("demo/call");
		const turn = await runtime.control.startTurn({ ...chat, key: "agent:coder:chat-2", agentId: "coder" }, "Hello");
		expect(turn.model).toBe("demo/own");
	});

	it("is what a person gets who names none, when it is the default", async () => {
		const { runtime } = await aPlace({ home: listed("coder", "default = true") }, [done, done]);
		expect(await ended(runtime, { task: "Look" })).toMatchObject({ agentId: "coder" });
		expect(await ended(runtime, { agent: "main", task: "Look" })).toMatchObject({ agentId: "main" });
	});
});

describe("a restricted agent", () => {
	const restricted = listed("public", 'sandbox = "restricted"');
	const calls = [
		aCall("write_file", { path: "new.txt", content: "x" }),
		aCall("shell", { command: "touch new.txt" }),
		aCall("read_file", { path: "../outside.txt" }),
		aCall("read_file", { path: "notes.txt" }, "inside"),
	];

	it("is refused changes and commands, never asked, and reads in its folder alone", async () => {
		const allow = '[permissions]\nallow = ["edit_file", "shell(touch *)", "read_file"]\n';
		const { runtime, model } = await aPlace({ home: restricted + allow }, [{ calls }, done], { edits: () => "allow" });
		expect(await ended(runtime, { agent: "public", task: "Look" })).toMatchObject({ state: "ok" });
		expect(results(model.requests)).toEqual([
			expect.stringContaining("This agent is restricted and cannot write files."),
			expect.stringContaining("This agent is restricted and cannot run commands."),
			expect.stringContaining("This agent is restricted to its workspace"),
			"1\tseven",
		]);
		expect(runtime.approvals.waiting).toEqual([]);
	});

	it("is one too when the repo says so", async () => {
		const repo = listed("coder", 'sandbox = "restricted"');
		const { runtime, model } = await aPlace({ home: listed("coder"), repo }, [{ calls: calls.slice(0, 1) }, done]);
		await ended(runtime, { agent: "coder", task: "Look" });
		expect(results(model.requests)[0]).toContain("This agent is restricted");
	});

	it("sends nobody out of its own folder", async () => {
		const own = temporaryFolder({ "own.txt": "mine\n" });
		const home = listed("main", 'sandbox = "restricted"', `workspace = ${JSON.stringify(own)}`);
		const repoFolder = temporaryFolder(repoFiles);
		const spawn = (id: string, more: object) =>
			aCall("sessions_spawn", { agent: "scout", task: "Look", wait: 20, ...more }, id);
		const model = new TwoFacedModel(
			[
				{ calls: [spawn("c1", { repoDir: repoFolder }), aCall("read_file", { path: "own.txt" }, "m1")] },
				{ calls: [spawn("c2", {})] },
				{ text: "Sent." },
			],
			[
				{
					calls: [
						aCall("read_file", { path: "own.txt" }),
						aCall("read_file", { path: `${repoFolder}/notes.txt` }, "r2"),
					],
				},
				done,
			],
		);
		const homeFolder = temporaryFolder({ ".agents/config.toml": home });
		const runtime = await aRuntime(model, { homeFolder, repoFolder });
		const turn = await runtime.control.startTurn(chat, "Please look");
		await untilRun(runtime, turn.id, hasEnded);
		const [refused, read] = results(model.mainRequests);
		expect(refused).toContain("outside the folder of the agent that asks");
		expect(read).toBe("1\tmine");
		expect(results(model.childRequests)).toEqual([
			"1\tmine",
			expect.stringContaining("This agent is restricted to its workspace"),
		]);
	});

	it("hands its profile on to the files that it spawns, and to what is said to them later", async () => {
		const home = listed("main", 'sandbox = "restricted"');
		const writes = { calls: calls.slice(0, 1) };
		const model = new TwoFacedModel(
			[{ calls: [aCall("sessions_spawn", { agent: "scout", task: "Look", wait: 20 })] }, { text: "Sent." }],
			[writes, done, writes, done],
		);
		const homeFolder = temporaryFolder({ ".agents/config.toml": home });
		const runtime = await aRuntime(model, { homeFolder, repoFolder: temporaryFolder(repoFiles), edits: () => "allow" });
		const turn = await runtime.control.startTurn(chat, "Please look");
		await untilRun(runtime, turn.id, hasEnded);
		const child = runtime.runs.list().find(({ agentId }) => agentId === "scout");
		expect(child).toMatchObject({ state: "ok", request: { isRestricted: true } });
		const sent = await runtime.control.send(await runtime.control.session(child?.sessionId ?? ""), "Once more");
		await untilRun(runtime, sent.run.id, hasEnded);
		const refused = JSON.stringify(model.childRequests.at(-1)?.messages).match(/This agent is restricted/gu);
		expect(refused).toHaveLength(2);
	});
});

describe("a main agent that spawns", () => {
	/** What the call of an agent of the configuration gets, and what the agent was told. */
	async function asked(config: string, call: object, child: readonly ScriptedReply[] = []) {
		const model = new TwoFacedModel([{ calls: [aCall("sessions_spawn", call)] }, { text: "Sent." }], child);
		const homeFolder = temporaryFolder({ ".agents/config.toml": config });
		const runtime = await aRuntime(model, { homeFolder, repoFolder: temporaryFolder(repoFiles) });
		const turn = await runtime.control.startTurn(chat, "Please look");
		await untilRun(runtime, turn.id, hasEnded);
		return { answer: results(model.mainRequests)[0] ?? "", system: model.mainRequests[0]?.system ?? "", model };
	}

	it("gets a static agent only where its allow_agents names it, and is told of no other", async () => {
		const others = listed("coder") + listed("writer");
		const refused = await asked(others, { agent: "coder", task: "Look" });
		expect(JSON.parse(refused.answer)).toMatchObject({
			status: "forbidden",
			error: expect.stringContaining('add "coder" to subagents.allow_agents of "main"') as string,
		});
		expect(refused.system).not.toContain("## coder");
		expect(refused.system).toContain("## scout");
		const main = listed("main", 'subagents = { allow_agents = ["Coder"] }');
		const allowed = await asked(main + others, { agent: "coder", task: "Look", wait: 20 }, [done]);
		expect(allowed.answer).toContain('"status":"ok"');
		expect(allowed.system).toContain("## coder");
		expect(allowed.system).not.toContain("## writer");
	});

	it("gets any that exist with a star, and hears of those that there are when it names another", async () => {
		const config = listed("main", 'subagents = { allow_agents = ["*"] }') + listed("coder");
		const { answer } = await asked(config, { agent: "codr", task: "Look" });
		expect(JSON.parse(answer)).toMatchObject({
			status: "error",
			error: 'There is no agent named "codr". Available: coder, scout.',
		});
	});

	it("that is restricted gets no agent that is trusted", async () => {
		const main = listed("main", 'sandbox = "restricted"', 'subagents = { allow_agents = ["*"] }');
		const config = main + listed("coder") + listed("reader", 'sandbox = "restricted"');
		const refused = await asked(config, { agent: "coder", task: "Look" });
		expect(JSON.parse(refused.answer)).toMatchObject({
			status: "forbidden",
			error: expect.stringContaining("restricted, and coder is trusted") as string,
		});
		expect(refused.system).not.toContain("## coder");
		const allowed = await asked(config, { agent: "reader", task: "Look", wait: 20 }, [done]);
		expect(allowed.answer).toContain('"status":"ok"');
	});

	it("gives no more tools than it has, and what its own list of subagents leaves", async () => {
		const main = (rest: string) =>
			listed(
				"main",
				'tools = { allow = ["sessions_spawn", "read", "grep", "glob"], deny = ["glob"] }',
				`subagents = { ${rest} }`,
			);
		const call = { agent: "scout", task: "Look", wait: 20 };
		const all = await asked(main(""), call, [done]);
		expect(offered(all.model.childRequests[0]).toSorted()).toEqual(["grep", "read_file"]);
		const some = await asked(main('deny_tools = ["grep"]'), call, [done]);
		expect(offered(some.model.childRequests[0])).toEqual(["read_file"]);
		const byName = main('allow_agents = ["coder"], allow_tools = ["list_dir"]') + listed("coder");
		const crossing = await asked(byName, { ...call, agent: "coder" }, [done]);
		expect(offered(crossing.model.childRequests[0])).toEqual(["list_dir"]);
		const none = await asked(main('allow_tools = ["shell"]'), call);
		expect(none.answer).toContain("would have no tool at all");
	});
});

describe("the defaults of subagents", () => {
	it("fill in what neither the call nor the agent says", async () => {
		const home = defaults(
			"timeout_seconds = 61",
			'thinking = "high"',
			"budget = { tokens = 5000, turns = 1 }",
			'deny_tools = ["shell", "web_fetch"]',
		);
		const replies = [{ calls: [aCall("read_file", { path: "notes.txt" })] }, done, done];
		const { runtime, model } = await aPlace({ home }, replies);
		const run = await ended(runtime, { agent: "scout", task: "Look" });
		expect(run.request).toMatchObject({
			runTimeoutSeconds: 61,
			thinking: "high",
			budget: { tokens: 5000, turns: 1 },
		});
		// One turn is all there is: the second request is the forced report.
		expect(run.state).toBe("partial");
		expect(model.requests[0]?.reasoning).toBe("high");
		expect(offered(model.requests[0])).not.toContain("shell");
		expect(offered(model.requests[0])).toContain("read_file");
		const called = await ended(runtime, { agent: "scout", task: "Look", timeoutSeconds: 9, thinking: "low" });
		expect(called.request).toMatchObject({ runTimeoutSeconds: 9, thinking: "low" });
	});

	it("leave only the tools that they allow, also to an agent that names more, and refuse a spawn without any", async () => {
		const { runtime, model, home } = await aPlace({ home: defaults('allow_tools = ["read", "grep"]') }, [done]);
		await ended(runtime, { agent: "scout", task: "Look" });
		expect(offered(model.requests[0]).toSorted()).toEqual(["grep", "read_file"]);
		withFiles(home, { ".agents/config.toml": defaults('allow_tools = ["read"]', 'deny_tools = ["read_file"]') });
		expect(await runtime.spawn({ agent: "scout", task: "Look" })).toMatchObject({
			status: "error",
			error: expect.stringContaining("would have no tool at all") as string,
		});
	});

	it("of a role's pack stand in for home's, with its rules and servers, for a run of that role", async () => {
		const broken = (server: string) => `[mcp_servers.${server}]\ncommand = "/not/there"\n`;
		const pack = `${defaults("timeout_seconds = 62")}[permissions]\ndeny = ["read_file(notes.txt)"]\n${broken("packs")}`;
		const beside = {
			".agents/roles/qa/.agents/config.toml": pack,
			".agents/roles/qa/.agents/agents/tester.md": anAgentFile("tester"),
		};
		const reads = { calls: [aCall("read_file", { path: "notes.txt" })] };
		const files = { home: defaults("timeout_seconds = 61") + broken("homes"), beside };
		const { runtime, model } = await aPlace(files, [reads, done, done, done]);
		const run = await ended(runtime, { agent: "scout", task: "Look", role: "qa" });
		expect(run).toMatchObject({ role: "qa", request: { runTimeoutSeconds: 62 } });
		expect(results(model.requests)[0]).toContain("is denied by");
		const entries = JSON.stringify(await runtime.transcripts.readSession(run.sessionKey, 0, 100));
		expect(entries).toContain("packs");
		expect(entries).not.toContain("homes");
		expect((await ended(runtime, { agent: "scout", task: "Look" })).request.runTimeoutSeconds).toBe(61);
		// The pack's own agents are for who names the role.
		expect(await ended(runtime, { agent: "tester", task: "Look", role: "qa" })).toMatchObject({ state: "ok" });
		expect(await runtime.spawn({ agent: "tester", task: "Look" })).toMatchObject({ status: "error" });
	});
});
