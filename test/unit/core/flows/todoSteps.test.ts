/** A step of a main agent's list moves with the subagent that was spawned for it (S1-18). */
import path from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { openDatabase } from "../../../../src/core/store/openDatabase.ts";
import { operations } from "../../../../src/core/store/operations.ts";
import { accept, aSession, aStore, claim, end } from "../../../fakes/aStore.ts";
import { plainRequest } from "../../../../src/core/runs/runRequest.ts";
import { aRuntime, hasEnded, untilRun } from "../../../fakes/aRuntime.ts";
import { aCall, type ScriptedReply } from "../../../fakes/scriptedModel.ts";
import { temporaryFolder } from "../../../fakes/temporaryFolder.ts";
import { TwoFacedModel } from "../../../fakes/twoFacedModel.ts";

const chat = { ...aSession("agent:main:chat-1", "main"), agentId: "main" };
const step = (id: string, status = "pending") => ({ id, content: `Do ${id}`, status });

/** A main agent that writes its list, sends somebody for the step `look`, and waits for the end. */
async function afterSpawning(taskId: string, child: ScriptedReply) {
	const storeFolder = path.join(temporaryFolder(), "store");
	const spawn = aCall("sessions_spawn", { agent: "scout", task: "Look", taskId }, "c1");
	const model = new TwoFacedModel(
		[
			{ calls: [aCall("todo", { items: [step("look"), step("write")] }, "t1")] },
			{ calls: [spawn] },
			{ calls: [aCall("sessions_yield", { seconds: 60 }, "y1")] },
			{ text: "Seen." },
		],
		[child],
	);
	const runtime = await aRuntime(model, { storeFolder });
	const { sql } = openDatabase(storeFolder);
	onTestFinished(() => sql.close());
	const turn = await runtime.control.startTurn(chat, "Go");
	const todos = () => operations.readTodos(sql, { sessionId: turn.sessionId });
	return { runtime, model, turn, todos };
}

describe("a step of a main agent's list", () => {
	it("is in progress while the subagent for it works, and blocked when that does not end well, which the agent reads", async () => {
		const { runtime, model, turn, todos } = await afterSpawning("look", { text: "Done.", hangs: "politely" });
		await expect.poll(todos).toEqual([step("look", "in_progress"), step("write")]);
		const child = runtime.runs.list().find(({ kind }) => kind === "subagent");
		await runtime.stop(child?.id ?? "");
		await untilRun(runtime, turn.id, hasEnded);
		expect(todos()).toEqual([step("look", "blocked"), step("write")]);
		expect(JSON.stringify(model.mainRequests[3]?.messages)).toContain("ended canceled, todo look blocked");
	});

	it("is completed when the subagent for it ends well", async () => {
		const { runtime, model, turn, todos } = await afterSpawning("look", { text: "Done. SUMMARY: Done." });
		await untilRun(runtime, turn.id, hasEnded);
		expect(todos()).toEqual([step("look", "completed"), step("write")]);
		expect(JSON.stringify(model.mainRequests[3]?.messages)).toContain("ended ok, todo look completed");
	});

	it("stays as it is when the subagent's taskId names no step", async () => {
		const { runtime, turn, todos } = await afterSpawning("elsewhere", { text: "Done. SUMMARY: Done." });
		await untilRun(runtime, turn.id, hasEnded);
		expect(todos()).toEqual([step("look"), step("write")]);
		expect(runtime.runs.list().map(({ state }) => state)).toEqual(["ok", "ok"]);
	});

	it("that can't be moved keeps no run from starting and ending", () => {
		const sql = aStore();
		const requester = aSession("agent:main:chat-1", "main");
		accept(sql, "run_a", { requester, request: { ...plainRequest, taskId: "look" } });
		operations.writeTodos(sql, {
			sessionId: requester.id,
			items: [{ id: "look", content: "Look", status: "pending" }],
		});
		sql.exec("CREATE TRIGGER broken BEFORE UPDATE ON todo_item BEGIN SELECT RAISE(ABORT, 'broken'); END");
		expect(claim(sql)).toEqual(["run_a"]);
		expect(end(sql, "run_a")).toMatchObject({ state: "ok" });
		expect(operations.readTodos(sql, { sessionId: requester.id })).toMatchObject([{ status: "pending" }]);
		expect(operations.verifyStore(sql).violations).toEqual([]);
	});
});
