/**
 * The pitfalls that users of the seeds' systems reported (P-01 to P-16), by their ids. Those that other tests hold:
 *
 * | id   | test                                                                                                      |
 * | ---- | --------------------------------------------------------------------------------------------------------- |
 * | P-02 | mainAgent: "reads results at its next step while it is busy …", "spawns by itself, is told at once, and is woken …" |
 * | P-03 | shell/deliveries: "is a dead letter, which its row says …", "and one that is blocked says so too, and is delivered by Retry" |
 * | P-05 | mainAgent: "gets five results in one message round when five end together, each once"                     |
 * | P-06 | restart: "leaves the runs of a process that lives alone, and takes them over when it dies"                |
 * | P-12 | of approvals too: flows/approvals: "takes nothing of the run's time"; flows/silence                       |
 */
import path from "node:path";
import { describe, expect, it } from "vitest";
import { Watchdog } from "../../../../src/core/engine/watchdog.ts";
import { ModelRegistry } from "../../../../src/core/models/modelRegistry.ts";
import type { Runtime } from "../../../../src/core/runtime.ts";
import { operations } from "../../../../src/core/store/operations.ts";
import { anAgentFile, aRuntime, hasEnded, untilRun } from "../../../fakes/aRuntime.ts";
import { accept, aSession, aStore, claim, deliver, end } from "../../../fakes/aStore.ts";
import { ManualClock } from "../../../fakes/manualClock.ts";
import { aCall, ScriptedModel } from "../../../fakes/scriptedModel.ts";
import { temporaryFolder } from "../../../fakes/temporaryFolder.ts";
import { TwoFacedModel } from "../../../fakes/twoFacedModel.ts";

const chat = { ...aSession("agent:main:chat-1", "main"), agentId: "main" };

async function spawn(runtime: Runtime, request: object = {}): Promise<string> {
	const answer = await runtime.spawn({ agent: "scout", task: "Look", ...request });
	if (!answer.accepted) throw new Error(answer.error);
	return answer.runId;
}

const announcementsOf = async (runtime: Runtime, key = "agent:main:user") =>
	(await runtime.transcripts.readSession(key, 0, 100)).filter(({ kind }) => kind === "announcement");

/** A store's folder as a process left it that died while it executed these runs and had others queued. */
function aDeadHostsFolder(runs: {
	readonly running: number;
	readonly queued?: number;
	readonly ended?: number;
}): string {
	const folder = path.join(temporaryFolder(), "store");
	const sql = aStore(folder);
	const ids = (name: string, count = 0) => Array.from({ length: count }, (_, index) => `run_${name}${index}`);
	for (const id of ids("ended", runs.ended)) accept(sql, id);
	for (const id of claim(sql)) end(sql, id);
	for (const id of ids("running", runs.running)) accept(sql, id);
	claim(sql);
	for (const id of ids("queued", runs.queued)) accept(sql, id);
	sql.close();
	return folder;
}

describe("the acceptance core, delivery and restart", () => {
	it("P-01: a result whose process died before it was persisted is delivered by the next, once", async () => {
		const storeFolder = aDeadHostsFolder({ ended: 1, running: 0 });
		const first = await aRuntime(new ScriptedModel(), { storeFolder });
		expect((await announcementsOf(first)).map(({ runId }) => runId)).toEqual(["run_ended0"]);
		await first.close();
		const second = await aRuntime(new ScriptedModel(), { storeFolder });
		expect(await announcementsOf(second)).toHaveLength(1);
	});

	it("P-04: a second delivery of the same result changes nothing", () => {
		const sql = aStore();
		accept(sql, "run_a");
		claim(sql);
		end(sql, "run_a");
		const sessionId = operations.findSession(sql, { key: "agent:main:user" })?.id ?? "";
		expect(deliver(sql).delivered.map(({ run }) => run.id)).toEqual(["run_a"]);
		const again = {
			sessionId,
			announcements: [{ runId: "run_a", text: "again" }],
			boundaryOf: null,
			wake: null,
			at: 11,
		};
		expect(operations.deliverAnnouncements(sql, again).delivered).toEqual([]);
		expect(operations.readEntries(sql, { sessionId, after: 0, limit: 10 })).toHaveLength(1);
		expect(operations.verifyStore(sql).violations).toEqual([]);
	});

	it("P-07: a restart with three running gives three `lost`, each announced once and kept", async () => {
		const runtime = await aRuntime(new ScriptedModel(), { storeFolder: aDeadHostsFolder({ running: 3 }) });
		expect(runtime.runs.list().map(({ state }) => state)).toEqual(["lost", "lost", "lost"]);
		const told = await announcementsOf(runtime);
		expect(told.map(({ runId }) => runId ?? "").toSorted()).toEqual(["run_running0", "run_running1", "run_running2"]);
		for (const { text } of told) expect(text).toMatch(/^\[Subagent\] "Look" was lost\n/u);
		expect((await runtime.transcripts.verify()).violations).toEqual([]);
	});

	it("P-08: nothing goes on by itself after a restart, and no model is asked", async () => {
		const model = new ScriptedModel();
		const runtime = await aRuntime(model, { storeFolder: aDeadHostsFolder({ running: 1, queued: 1 }) });
		expect(runtime.runs.list().map(({ state, hold }) => ({ state, hold }))).toEqual([
			{ state: "queued", hold: "parked" },
			{ state: "lost", hold: null },
		]);
		// A run that is started on purpose ends; those before it have had their chance by then.
		await untilRun(runtime, await spawn(runtime), hasEnded);
		expect(new Set(model.requests.map(({ messages }) => JSON.stringify(messages[0]))).size).toBe(1);
		expect(runtime.runs.get("run_queued0")).toMatchObject({ state: "queued", hold: "parked" });
		expect(runtime.runs.list()).toHaveLength(3);
	});
});

describe("the acceptance core, time", { timeout: 20_000 }, () => {
	it.each([
		["absent everywhere", "", {}, 900],
		["absent on the call", "runTimeoutSeconds: 60\n", {}, 60],
		["0 in the file", "runTimeoutSeconds: 0\n", {}, 0],
		["5 on the call", "runTimeoutSeconds: 60\n", { runTimeoutSeconds: 5 }, 5],
		["0 on the call", "runTimeoutSeconds: 60\n", { runTimeoutSeconds: 0 }, 0],
		["5 on the call over 0 in the file", "runTimeoutSeconds: 0\n", { timeoutSeconds: 5 }, 5],
	])("P-09: absent is not 0: a timeout that is %s", async (_, fields, call, expected) => {
		const repoFolder = temporaryFolder({ ".agents/agents/scout.md": anAgentFile("scout", fields) });
		const runtime = await aRuntime(new ScriptedModel(), { repoFolder });
		const runId = await spawn(runtime, call);
		expect(runtime.runs.get(runId)?.request.runTimeoutSeconds).toBe(expected);
	});

	it("P-10: at its deadline a run ends `timeout`, asks nobody again and frees its slot, deaf as its model may be", async () => {
		const model = new ScriptedModel({ text: "Well", hangs: "deafly" }, { text: "Done." });
		const runtime = await aRuntime(model, { laneLimit: () => 1 });
		const late = await spawn(runtime, { runTimeoutSeconds: 1 });
		const next = await spawn(runtime);
		expect(await untilRun(runtime, late, hasEnded)).toMatchObject({ state: "timeout" });
		expect(await untilRun(runtime, next, hasEnded)).toMatchObject({ state: "ok" });
		expect(model.requests).toHaveLength(2);
		expect(runtime.runs.get(late)).toMatchObject({ state: "timeout", summary: null });
	});

	it("P-11: a run whose model goes on speaking is never ended for being silent", () => {
		const clock = new ManualClock();
		const watchdog = new Watchdog(clock, { wallMs: 0, firstTokenMs: 1_800_000, silenceMs: 60_000 });
		watchdog.expectFirstToken();
		clock.advance(1_799_000);
		for (let minute = 0; minute < 600; minute++) {
			watchdog.progress();
			clock.advance(59_000);
		}
		expect(watchdog.bark).toBeUndefined();
		watchdog.progress();
		clock.advance(60_000);
		expect(watchdog.bark).toBe("silence");
	});

	it("P-12: no time passes for a run while a person is asked", () => {
		const clock = new ManualClock();
		const watchdog = new Watchdog(clock, { wallMs: 10_000, firstTokenMs: 0, silenceMs: 5_000 });
		clock.advance(4_000);
		watchdog.progress();
		watchdog.pause();
		clock.advance(3_600_000);
		expect(watchdog.bark).toBeUndefined();
		watchdog.resume();
		clock.advance(4_000);
		expect(watchdog.bark).toBeUndefined();
		watchdog.progress();
		clock.advance(2_000);
		expect(watchdog.bark).toBe("wall");
	});

	it("P-13: the time of a run begins with its start, not while it is queued", async () => {
		const model = new ScriptedModel({ hangs: "politely" }, { hangs: "politely" });
		const runtime = await aRuntime(model, { laneLimit: () => 1 });
		const first = await spawn(runtime, { runTimeoutSeconds: 1 });
		const second = await spawn(runtime, { runTimeoutSeconds: 1 });
		const { endedAt: freeAt } = await untilRun(runtime, first, hasEnded);
		const { startedAt, endedAt, state } = await untilRun(runtime, second, hasEnded);
		expect(state).toBe("timeout");
		expect(startedAt ?? 0).toBeGreaterThanOrEqual(freeAt ?? Infinity);
		expect((endedAt ?? 0) - (startedAt ?? 0)).toBeGreaterThanOrEqual(1000);
	});

	it("P-13: who has waited long enough goes on, and the run with it", async () => {
		const call = aCall("sessions_spawn", { agent: "scout", task: "Look", wait: 1 });
		const model = new TwoFacedModel([{ calls: [call] }, { text: "Later, then." }], [{ hangs: "politely" }]);
		const runtime = await aRuntime(model);
		const turn = await runtime.control.startTurn(chat, "Ask");
		expect(await untilRun(runtime, turn.id, hasEnded)).toMatchObject({ state: "ok" });
		const [child] = runtime.runs.list().filter(({ kind }) => kind === "subagent");
		expect(child).toMatchObject({ state: "running" });
		const results = (model.mainRequests[1]?.messages ?? []).flatMap((message) =>
			message.role === "tool" ? [message.text] : [],
		);
		expect(JSON.parse(results[0] ?? "")).toMatchObject({ status: "accepted", waitExpired: true });
		expect(JSON.parse(results[0] ?? "")).not.toHaveProperty("result");
		await runtime.stop(child?.id ?? "");
	});
});

describe("the acceptance core, tools and models", () => {
	it("P-14: what is denied is neither shown nor executed, in a first, a sent and a resumed run", async () => {
		const repoFolder = temporaryFolder({ ".agents/agents/scout.md": anAgentFile("scout", "tools: [read_file]\n") });
		const attempt = [{ calls: [aCall("list_dir", {})] }, { text: "I may not." }];
		const model = new ScriptedModel(...attempt, ...attempt, ...attempt);
		const runtime = await aRuntime(model, { repoFolder });
		const first = await untilRun(runtime, await spawn(runtime), hasEnded);
		const session = await runtime.control.session(first.sessionId);
		const { run: sent } = await runtime.control.send(session, "And now?");
		await untilRun(runtime, sent.id, hasEnded);
		const resumed = await runtime.control.resume(first);
		await untilRun(runtime, resumed.id, hasEnded);
		expect(model.requests).toHaveLength(6);
		for (const { tools } of model.requests) expect(tools.map(({ name }) => name)).toEqual(["read_file"]);
		for (const { messages } of [model.requests[1], model.requests[3], model.requests[5]].flatMap((one) => one ?? [])) {
			const result = messages.findLast(({ role }) => role === "tool");
			expect(result).toMatchObject({ isError: true, text: expect.stringContaining("list_dir is not allowed") });
		}
	});

	it("P-15: an agent that would have no tool is refused with the reason, and denying one leaves the others", async () => {
		const repoFolder = temporaryFolder({
			".agents/agents/empty.md": anAgentFile("empty", "tools: [read_file]\ndisallowedTools: [read_file]\n"),
			".agents/agents/scout.md": anAgentFile("scout", "tools: [read_file, list_dir]\ndisallowedTools: [list_dir]\n"),
		});
		const model = new ScriptedModel({ text: "Done." });
		const runtime = await aRuntime(model, { repoFolder });
		expect(await runtime.spawn({ agent: "empty", task: "Look" })).toMatchObject({
			status: "error",
			error: expect.stringContaining("The agent empty would have no tool at all"),
		});
		expect(runtime.runs.list()).toEqual([]);
		await untilRun(runtime, await spawn(runtime), hasEnded);
		expect(model.requests[0]?.tools.map(({ name }) => name)).toEqual(["read_file"]);
	});

	it("P-16: the model that the answer names is the one that is asked", async () => {
		const named = (id: string) => Object.assign(new ScriptedModel({ text: "Done." }), { ref: `demo/${id}` as const });
		const models = { usual: named("usual"), large: named("large") };
		const provider = { id: "demo", label: "Demo", model: (id: string) => models[id as "usual" | "large"] };
		const options = { models: new ModelRegistry([provider], "demo/usual") };
		const runtime = await aRuntime(models.usual, options);
		const answer = await runtime.spawn({ agent: "scout", task: "Look", model: "demo/large" });
		if (!answer.accepted) throw new Error(answer.error);
		expect(answer).toMatchObject({ resolvedModel: "demo/large", modelApplied: true });
		await untilRun(runtime, answer.runId, hasEnded);
		expect({ large: models.large.requests.length, usual: models.usual.requests.length }).toEqual({
			large: 1,
			usual: 0,
		});
	});
});
