import { describe, expect, it } from "vitest";
import type { Budget } from "../../../../src/core/runs/budget.ts";
import type { Runtime } from "../../../../src/core/runtime.ts";
import type { RuntimeOptions } from "../../../../src/core/runtimeOptions.ts";
import { anAgentFile, aRuntime, hasEnded, untilRun } from "../../../fakes/aRuntime.ts";
import { aSession } from "../../../fakes/aStore.ts";
import { aCall, ScriptedModel, type ScriptedReply } from "../../../fakes/scriptedModel.ts";
import { temporaryFolder } from "../../../fakes/temporaryFolder.ts";
import { untilAsked } from "../../../fakes/untilWaiting.ts";
import { TwoFacedModel } from "../../../fakes/twoFacedModel.ts";

/** Each turn of the scripted model costs 110 tokens and one cent. */
const look = (id: string): ScriptedReply => ({
	text: "Looking.",
	calls: [aCall("read_file", { path: "notes.txt" }, id)],
});
const report: ScriptedReply = { text: "Half of it. SUMMARY: Half of it." };

async function spawned(runtime: Runtime, fields: object = {}): Promise<string> {
	const answer = await runtime.spawn({ agent: "scout", task: "Look", ...fields });
	if (!answer.accepted) throw new Error(answer.error);
	return answer.runId;
}

async function told(runtime: Runtime, runId: string): Promise<string[]> {
	const key = runtime.runs.get(runId)?.sessionKey ?? "";
	return (await runtime.transcripts.readSession(key, 0, 100))
		.filter(({ kind }) => kind === "notice")
		.map(({ text }) => text);
}

/** A home whose configuration says these lines of every subagent. */
function home(lines: string): string {
	return temporaryFolder({ ".agents/config.toml": `[agents.defaults.subagents]\n${lines}\n` });
}

async function verified(runtime: Runtime): Promise<void> {
	expect((await runtime.transcripts.verify()).violations).toEqual([]);
}

describe("a run's own budget", () => {
	it.each<[Budget, ScriptedReply[], string]>([
		[{ tokens: 200 }, [look("1"), look("2"), report], "200 tokens"],
		[{ usd: 0.02 }, [look("1"), look("2"), report], "$0.02"],
		[{ turns: 2 }, [look("1"), look("2"), report], "2 turns"],
		[{ toolCalls: 2 }, [look("1"), look("2"), report], "2 tool calls"],
	])("of %j ends it early, with its report", async (budget, replies, amount) => {
		const model = new ScriptedModel(...replies);
		const runtime = await aRuntime(model);
		const runId = await spawned(runtime, { budget });
		const run = await untilRun(runtime, runId, hasEnded);
		expect(run).toMatchObject({
			state: "partial",
			summary: "Half of it.",
			work: { turns: 3, toolCalls: 2, spawns: 0 },
		});
		expect(await told(runtime, runId)).toContain(`Its budget of ${amount} is used up.`);
		expect(model.requests.map(({ toolChoice }) => toolChoice)).toEqual(["auto", "auto", "none"]);
		await verified(runtime);
	});

	it("is told to its model once, when four fifths of it are used", async () => {
		const model = new ScriptedModel(look("1"), look("2"), look("3"), { text: "All of it. SUMMARY: All of it." });
		const runtime = await aRuntime(model);
		const runId = await spawned(runtime, { budget: { tokens: 400 } });
		// 440 are used when it has answered by itself: what was finished is not taken from it.
		expect(await untilRun(runtime, runId, hasEnded)).toMatchObject({ state: "ok" });
		const warnings = (await told(runtime, runId)).filter((text) => text.includes("budget"));
		expect(warnings).toEqual([expect.stringContaining("330 tokens of its budget of 400 tokens are used.")]);
	});

	it("refuses the calls of one turn that are too many, and no more", async () => {
		const calls = ["a", "b", "c"].map((id) => aCall("read_file", { path: "notes.txt" }, id));
		const model = new ScriptedModel({ calls }, report);
		const runtime = await aRuntime(model);
		const runId = await spawned(runtime, { budget: { toolCalls: 2 } });
		expect(await untilRun(runtime, runId, hasEnded)).toMatchObject({ state: "partial", work: { toolCalls: 2 } });
		const results = model.requests[1]?.messages.flatMap((message) => (message.role === "tool" ? [message] : [])) ?? [];
		expect(results.map(({ isError }) => isError)).toEqual([false, false, true]);
		expect(results[2]?.text).toBe("Not done: its budget of 2 tool calls is used up. Write your report.");
	});

	it("stops a stream that goes a fifth beyond it, and keeps what was said", async () => {
		const model = new ScriptedModel({ text: "word ".repeat(200), hangs: "politely" });
		const runtime = await aRuntime(model);
		const runId = await spawned(runtime, { budget: { tokens: 50 } });
		const run = await untilRun(runtime, runId, hasEnded);
		expect(run).toMatchObject({ state: "partial" });
		expect(run.summary).toMatch(/word word$/u);
		expect(await told(runtime, runId)).toEqual(["Its budget of 50 tokens is used up."]);
	});

	it("of subagents lets it spawn as many, then asks for its report", async () => {
		const spawn = (id: string) => aCall("sessions_spawn", { agent: "scout", task: "Look" }, id);
		const calls = [spawn("1"), spawn("2"), spawn("3")];
		const model = new TwoFacedModel([{ calls }, report, { text: "Heard." }], [{ text: "Seen." }, { text: "Seen." }]);
		const runtime = await aRuntime(model, { homeFolder: home("session_budget = { spawns = 2 }") });
		const turn = await runtime.control.startTurn({ ...aSession("agent:main:chat-1", "main"), agentId: "main" }, "Look");
		expect(await untilRun(runtime, turn.id, hasEnded)).toMatchObject({ state: "partial", work: { spawns: 2 } });
		expect(runtime.runs.list().filter(({ cause }) => cause === "spawn")).toHaveLength(2);
		expect(await told(runtime, turn.id)).toContain("The session's budget of 2 subagents is used up.");
	});

	it("can be set higher by a person and by an agent of theirs, and only lower by a repo", async () => {
		const repoFolder = temporaryFolder({
			".agents/agents/scout.md": anAgentFile("scout", "budget: { tokens: 900, turns: 3 }\n"),
		});
		const homeFolder = home("budget = { tokens = 500, turns = 8 }");
		const runtime = await aRuntime(new ScriptedModel(report, report), { repoFolder, homeFolder });
		const usual = await untilRun(runtime, await spawned(runtime), hasEnded);
		expect(usual.request.budget).toEqual({ tokens: 500, turns: 3 });
		const more = await untilRun(runtime, await spawned(runtime, { budget: { tokens: 700 } }), hasEnded);
		expect(more.request.budget).toEqual({ tokens: 700, turns: 3 });
	});
});

describe("a budget that runs share", () => {
	const scenes: [string, string, string][] = [
		["agent", "agent_budget = { tokens = 200 }", "Today's (agent scout) budget of 200 tokens is used up."],
		["day", "day_budget = { turns = 2 }", "Today's budget of 2 turns is used up."],
	];
	it.each(scenes)("of the %s ends the run that reaches it, and lets no other begin", async (_, lines, reason) => {
		const runtime = await aRuntime(new ScriptedModel(look("1"), look("2"), report), { homeFolder: home(lines) });
		const runId = await spawned(runtime);
		expect(await untilRun(runtime, runId, hasEnded)).toMatchObject({ state: "partial", summary: "Half of it." });
		expect(await told(runtime, runId)).toContain(reason);
		const answer = await runtime.spawn({ agent: "scout", task: "Once more" });
		expect(answer).toMatchObject({ status: "rejected", accepted: false, isOverBudget: true });
		expect(!answer.accepted && answer.error).toContain("is used up");
		await verified(runtime);
	});

	it("lets one run go over it where a person says so", async () => {
		const model = new ScriptedModel(look("1"), look("2"), report, look("3"), { text: "All. SUMMARY: All." });
		const runtime = await aRuntime(model, { homeFolder: home("day_budget = { turns = 2 }") });
		await untilRun(runtime, await spawned(runtime), hasEnded);
		const person = runtime.person({ key: "agent:main:user", kind: "user", agentId: "main" });
		const lifted = { ...person, grants: { isOverBudget: true } };
		const answer = await runtime.spawn({ agent: "scout", task: "Once more" }, lifted);
		if (!answer.accepted) throw new Error(answer.error);
		expect(await untilRun(runtime, answer.runId, hasEnded)).toMatchObject({ state: "ok", summary: "All." });
	});

	it("of the session holds for what goes on in it", async () => {
		const model = new ScriptedModel(look("1"), { text: "Seen. SUMMARY: Seen." });
		const runtime = await aRuntime(model, { homeFolder: home("session_budget = { tokens = 220 }") });
		const run = await untilRun(runtime, await spawned(runtime), hasEnded);
		expect(run).toMatchObject({ state: "ok" });
		const sent = await runtime.control.send(await runtime.control.session(run.sessionId), "And now?");
		expect(await untilRun(runtime, sent.run.id, hasEnded)).toMatchObject({ state: "partial", work: { turns: 0 } });
		expect(await told(runtime, sent.run.id)).toContain("The session's budget of 220 tokens is used up.");
		expect(model.requests).toHaveLength(2);
	});

	it("of the day counts what other workspaces have spent", async () => {
		const dataFolder = temporaryFolder();
		const homeFolder = home("day_budget = { tokens = 200 }");
		const shared: Partial<RuntimeOptions> = { dataFolder, homeFolder };
		const here = await aRuntime(new ScriptedModel(look("1"), { text: "Seen." }), {
			...shared,
			storeFolder: temporaryFolder(),
		});
		await untilRun(here, await spawned(here), hasEnded);
		const there = await aRuntime(new ScriptedModel(report), { ...shared, storeFolder: temporaryFolder() });
		expect(await there.spawn({ agent: "scout", task: "Look" })).toMatchObject({ status: "rejected" });
		expect(await there.control.describeDay()).toBe("220 of 200 tokens");
	});

	it("adds up after the process is gone and another one has gone on", async () => {
		const storeFolder = temporaryFolder();
		const homeFolder = home("agent_budget = { tokens = 300 }");
		const first = await aRuntime(new ScriptedModel(look("1"), { hangs: "politely" }), { storeFolder, homeFolder });
		const runId = await spawned(first);
		await untilRun(first, runId, ({ work }) => work.turns === 1);
		await first.close();
		const second = await aRuntime(new ScriptedModel(look("2"), report), { storeFolder, homeFolder });
		expect(second.runs.get(runId)).toMatchObject({ state: "lost", usage: { inputTokens: 100 }, work: { turns: 1 } });
		await verified(second);
		const next = await untilRun(second, await spawned(second), hasEnded);
		expect(next).toMatchObject({ state: "ok", usage: { inputTokens: 200 } });
		expect(await second.spawn({ agent: "scout", task: "Look" })).toMatchObject({ status: "rejected" });
		await verified(second);
	});

	it("is asked about when an agent spawns, and a person lets that one run go over it or not", async () => {
		const spawn = (task: string) => aCall("sessions_spawn", { agent: "scout", task }, task);
		const seen = { text: "Seen. SUMMARY: Seen." };
		const calls = [spawn("Look here"), spawn("Look there")];
		const model = new TwoFacedModel([{ calls }, report, { text: "Heard." }], [seen, seen]);
		// It holds for each agent: scout's is used up by the person's run, main's by the turn that spawns.
		const runtime = await aRuntime(model, { homeFolder: home("agent_budget = { turns = 1 }") });
		await untilRun(runtime, await spawned(runtime), hasEnded);
		const turn = await runtime.control.startTurn({ ...aSession("agent:main:chat-1", "main"), agentId: "main" }, "Look");
		for (const question of await untilAsked(runtime, 2)) {
			expect(question).toMatchObject({ effect: "spawn", agentPath: "main", why: expect.stringContaining("1 turn") });
			const verdict = question.subject === "scout for “Look here”, over the budget" ? "allow" : "deny";
			await runtime.approvals.answer(question.id, { verdict, by: "tree" });
		}
		await untilRun(runtime, turn.id, hasEnded);
		const spawns = runtime.runs.list().filter(({ parentRunId }) => parentRunId === turn.id);
		expect(spawns.map(({ task }) => task)).toEqual(["Look here"]);
		expect(await untilRun(runtime, spawns[0]?.id ?? "", hasEnded)).toMatchObject({ state: "ok", summary: "Seen." });
		const results = model.mainRequests[1]?.messages.flatMap((message) =>
			message.role === "tool" ? [message.text] : [],
		);
		expect(results?.map((text) => (JSON.parse(text) as { status: string }).status)).toEqual(["accepted", "rejected"]);
	});
});
