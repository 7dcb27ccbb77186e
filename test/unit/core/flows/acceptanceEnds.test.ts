/**
 * The pitfalls that users of the seeds' systems reported (P-17 to P-32), by their ids. Those that other tests hold:
 *
 * | id   | test                                                                                                    |
 * | ---- | ------------------------------------------------------------------------------------------------------- |
 * | P-17 | endings: "counts an empty answer as a failure", "ends partial when it has used its turns"               |
 * | P-19 | mainAgent: "spawns by itself, is told at once, and is woken with the result as quoted data"             |
 * | P-21 | lanes: "never hold more than their cap, whatever happens in which order"                                |
 * | P-22 | lanes: "do not deadlock at cap 1 when a parent waits for its child"; two waits at once: here            |
 * | P-23 | lanes: "let a user's turn go before the wakes of its lane"                                              |
 * | P-25 | mainAgent: "stops its children with itself"; their processes: processes/processGroup                    |
 * | P-29 | endings: "ends with the reason when the folder has gone before it starts"; cli/runs                     |
 *
 * Of P-26, that a failed delete is tried again has no counterpart: archiving deletes nothing.
 */
import { rmSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import type { Runtime } from "../../../../src/core/runtime.ts";
import type { RunEvent } from "../../../../src/core/runs/runEvent.ts";
import { operations } from "../../../../src/core/store/operations.ts";
import { anAgentFile, aRuntime, hasEnded, untilRun } from "../../../fakes/aRuntime.ts";
import { accept, aSession, aStore, claim, deliver, end } from "../../../fakes/aStore.ts";
import { aCall, ScriptedModel } from "../../../fakes/scriptedModel.ts";
import { temporaryFolder } from "../../../fakes/temporaryFolder.ts";
import { TwoFacedModel } from "../../../fakes/twoFacedModel.ts";

const chat = { ...aSession("agent:main:chat-1", "main"), agentId: "main" };
const client = {
	session: { ...aSession("agent:main:mcp-1", "external"), agentId: "main" },
	runId: null,
	isPerson: false,
};

async function spawn(runtime: Runtime, request: object = {}): Promise<string> {
	const answer = await runtime.spawn({ agent: "scout", task: "Look", ...request });
	if (!answer.accepted) throw new Error(answer.error);
	return answer.runId;
}

const spawnCall = (id: string, fields: object) =>
	aCall("sessions_spawn", { agent: "scout", task: "Look", ...fields }, id);

describe("the acceptance core, results", () => {
	it("P-18: what a tool has said is never the result", async () => {
		const model = new ScriptedModel({ calls: [aCall("read_file", { path: "notes.txt" })] }, { text: "" }, { text: "" });
		const runtime = await aRuntime(model);
		const run = await untilRun(runtime, await spawn(runtime), hasEnded);
		expect(JSON.stringify(model.requests[1]?.messages)).toContain("seven");
		expect(run).toMatchObject({ state: "error", summary: null });
		expect(run.error).not.toContain("seven");
	});

	it("P-24: the first end that is committed is the end, and is announced once, in either order", () => {
		for (const [first, second] of [
			["ok", "canceled"],
			["canceled", "ok"],
		] as const) {
			const sql = aStore();
			accept(sql, "run_a");
			claim(sql);
			operations.requestStop(sql, { runId: "run_a", at: 3 });
			end(sql, "run_a", first, 4);
			expect(end(sql, "run_a", second, 5)).toMatchObject({ state: first, endedAt: 4 });
			expect(operations.requestStop(sql, { runId: "run_a", at: 6 })).toMatchObject({ isFirst: false });
			expect(deliver(sql).delivered).toHaveLength(1);
			expect(deliver(sql).delivered).toEqual([]);
			expect(operations.verifyStore(sql).violations).toEqual([]);
		}
	});

	it("P-26: only what has ended and was told is archived, counted from its end, and its words stay", () => {
		const sql = aStore();
		for (const id of ["run_told", "run_untold", "run_late", "run_live"]) accept(sql, id);
		claim(sql);
		end(sql, "run_told", "ok", 10);
		end(sql, "run_late", "ok", 50);
		deliver(sql);
		end(sql, "run_untold", "ok", 10);
		const archived = operations.archiveRuns(sql, { before: 20, at: 100 });
		expect(archived.map(({ id }) => id)).toEqual(["run_told"]);
		const listed = operations.listRuns(sql, { limit: 10 }).map(({ id }) => id);
		expect(listed.toSorted()).toEqual(["run_late", "run_live", "run_untold"]);
		const { sessionId = "" } = archived[0] ?? {};
		expect(operations.readEntries(sql, { sessionId, after: 0, limit: 10 })).toMatchObject([{ text: "Look" }]);
		expect(operations.verifyStore(sql).violations).toEqual([]);
	});

	it("P-26: what is brought back from the archive stays as long as if it had just ended", () => {
		const sql = aStore();
		accept(sql, "run_a");
		claim(sql);
		end(sql, "run_a", "ok", 10);
		deliver(sql);
		expect(operations.archiveRuns(sql, { before: 20, at: 100 })).toHaveLength(1);
		expect(operations.restoreRun(sql, { runId: "run_a", at: 200 })).toMatchObject({ archivedAt: null });
		expect(operations.archiveRuns(sql, { before: 200, at: 260 })).toEqual([]);
		expect(operations.archiveRuns(sql, { before: 201, at: 261 })).toHaveLength(1);
		expect(operations.verifyStore(sql).violations).toEqual([]);
	});

	it("P-31: with `cleanup: delete` the words go when the result is told; the run and its usage stay", async () => {
		const runtime = await aRuntime(new ScriptedModel({ text: "Seven. SUMMARY: Seven." }));
		const told = new Promise((resolve) => runtime.onDidAnnounce(resolve));
		const runId = await spawn(runtime, { cleanup: "delete" });
		await told;
		const run = await untilRun(runtime, runId, hasEnded);
		expect(run).toMatchObject({ state: "ok", summary: "Seven.", usage: { inputTokens: 100, outputTokens: 10 } });
		await expect.poll(() => runtime.transcripts.read(run, 0, 10)).toEqual([]);
		await expect(runtime.control.session(run.sessionId)).rejects.toThrow("were deleted after its result");
		expect((await runtime.transcripts.verify()).violations).toEqual([]);
	});
});

describe("the acceptance core, limits and waiting", { timeout: 20_000 }, () => {
	it("P-20: of twenty spawns at once exactly five are accepted, and the others leave no record", async () => {
		const model = new ScriptedModel(...Array.from({ length: 5 }, () => ({ hangs: "politely" as const })));
		const runtime = await aRuntime(model);
		const spawns = Array.from({ length: 20 }, () => runtime.spawn({ agent: "scout", task: "Look" }, client));
		const statuses = (await Promise.all(spawns)).map(({ status }) => status);
		expect(statuses.filter((status) => status === "accepted")).toHaveLength(5);
		expect(statuses.filter((status) => status === "rejected")).toHaveLength(15);
		expect(runtime.runs.list()).toHaveLength(5);
		await Promise.all(runtime.runs.list().map(({ id }) => runtime.stop(id)));
	});

	it("P-21, S4-02, S4-04: fifteen are kept, the three oldest are named, and removing one makes room", async () => {
		const model = new ScriptedModel(...Array.from({ length: 16 }, () => ({ text: "Done." })));
		const runtime = await aRuntime(model);
		const ids: string[] = [];
		for (let index = 0; index < 15; index++) {
			const answer = await runtime.spawn({ agent: "scout", task: "Look" }, client);
			if (!answer.accepted) throw new Error(answer.error);
			ids.push(answer.runId);
			await untilRun(runtime, answer.runId, hasEnded);
		}
		const refusal = await runtime.spawn({ agent: "scout", task: "Look" }, client);
		expect(refusal).toMatchObject({ status: "rejected", accepted: false });
		expect(refusal).toMatchObject({ removable: ids.slice(0, 3).map((runId) => ({ runId, state: "ok" })) });
		await runtime.control.remove(ids[0] ?? "");
		expect(await runtime.spawn({ agent: "scout", task: "Look" }, client)).toMatchObject({ status: "accepted" });
		// A person is never refused for it.
		await spawn(runtime);
	});

	it("P-22, S2-13: a turn that waits for two at once goes on when both have ended, in whatever order", async () => {
		const calls = [spawnCall("c1", { wait: true }), spawnCall("c2", { wait: true })];
		const model = new TwoFacedModel([{ calls }, { text: "Both are back." }], [{ text: "One." }, { hangs: "politely" }]);
		const runtime = await aRuntime(model);
		const turn = await runtime.control.startTurn(chat, "Ask both");
		const childrenIn = (state: string) =>
			runtime.runs.list().filter((run) => run.kind === "subagent" && run.state === state);
		await expect
			.poll(() => [childrenIn("ok").length, childrenIn("running").length], { timeout: 10_000 })
			.toEqual([1, 1]);
		expect(runtime.runs.get(turn.id)).toMatchObject({ state: "waiting_children" });
		await runtime.stop(childrenIn("running")[0]?.id ?? "");
		expect(await untilRun(runtime, turn.id, hasEnded)).toMatchObject({ state: "ok", summary: "Both are back." });
	});

	it("P-28: who waits for its subagents is shown as waiting, is heard to, and ends only afterwards", async () => {
		const calls = [aCall("sessions_yield", { seconds: 60 })];
		const model = new TwoFacedModel(
			[{ calls: [spawnCall("c1", {})] }, { calls }, { text: "Now I am done." }],
			[{ hangs: "politely" }],
		);
		const runtime = await aRuntime(model);
		const heard: RunEvent["type"][] = [];
		runtime.onEvent(({ type, runId }) => runId === turn.id && heard.push(type));
		const turn = await runtime.control.startTurn(chat, "Ask and wait");
		await untilRun(runtime, turn.id, ({ state }) => state === "waiting_children");
		const [child] = runtime.runs.list().filter(({ kind }) => kind === "subagent");
		await untilRun(runtime, child?.id ?? "", ({ state }) => state === "running");
		expect(runtime.runs.get(turn.id)).toMatchObject({ state: "waiting_children" });
		await runtime.stop(child?.id ?? "");
		expect(await untilRun(runtime, turn.id, hasEnded)).toMatchObject({ state: "ok" });
		expect(heard).toContain("subagent.waiting");
		expect(heard.indexOf("subagent.waiting")).toBeLessThan(heard.indexOf("subagent.ended"));
	});
});

describe("the acceptance core, where and what", () => {
	it("P-27: a run works in the folder that its call names, else in the open one", async () => {
		const repoFolder = temporaryFolder({
			".agents/agents/scout.md": anAgentFile("scout"),
			"sub/inner.txt": "eight\n",
		});
		const look = [{ calls: [aCall("list_dir", {})] }, { text: "Done." }];
		const model = new ScriptedModel(...look, ...look);
		const runtime = await aRuntime(model, { repoFolder });
		await untilRun(runtime, await spawn(runtime, { repoDir: "sub" }), hasEnded);
		await untilRun(runtime, await spawn(runtime), hasEnded);
		const listed = [1, 3].map((index) => JSON.stringify(model.requests[index]?.messages.at(-1)));
		expect(listed[0]).toContain("inner.txt");
		expect(listed[1]).toContain("sub");
		expect(listed[1]).not.toContain("inner.txt");
		expect(model.requests[0]?.system).toContain(`- Workspace folder: ${path.join(repoFolder, "sub")}`);
	});

	it("P-30, S2-20: a failure before the start is in the log with its run", async () => {
		const lines: { message: string; facts: object }[] = [];
		const logger = {
			info: (message: string, facts: object = {}) => void lines.push({ message, facts }),
			warn: () => undefined,
			error: () => undefined,
		};
		const repoFolder = temporaryFolder({ ".agents/agents/scout.md": anAgentFile("scout") });
		const model = new ScriptedModel({ hangs: "politely" });
		const runtime = await aRuntime(model, { repoFolder, logger, laneLimit: () => 1 });
		const first = await spawn(runtime);
		const second = await spawn(runtime);
		await untilRun(runtime, first, ({ state }) => state === "running");
		rmSync(path.join(repoFolder, ".agents"), { recursive: true });
		await runtime.stop(first);
		const { sessionId } = await untilRun(runtime, second, hasEnded);
		const facts = {
			runId: second,
			sessionId,
			agentId: "scout",
			runKind: "subagent",
			lane: "subagent",
			parentRunId: null,
		};
		expect(lines).toContainEqual({ message: "subagent.failed", facts });
	});

	it("P-32: a subagent reads that it is one, and nothing of who else there is; its file has the last word", async () => {
		const repoFolder = temporaryFolder({
			".agents/agents/scout.md": anAgentFile("scout"),
			"SOUL.md": "You are Molly, the main agent.\n",
			"IDENTITY.md": "You are Molly.\n",
		});
		const model = new ScriptedModel({ text: "Done." });
		const runtime = await aRuntime(model, { repoFolder });
		await untilRun(runtime, await spawn(runtime), hasEnded);
		const { system = "" } = model.requests[0] ?? {};
		expect(system).toMatch(/^# Subagent Context\n/u);
		expect(system).toContain("You are NOT the main agent.");
		expect(system).not.toContain("Molly");
		expect(system.endsWith("You look at things.\n")).toBe(true);
	});
});
