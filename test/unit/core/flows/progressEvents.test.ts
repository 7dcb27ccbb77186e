import { describe, expect, it } from "vitest";
import type { RunEvent } from "../../../../src/core/runs/runEvent.ts";
import { noUsage } from "../../../../src/core/runs/run.ts";
import { operations } from "../../../../src/core/store/operations.ts";
import { aRuntime, hasEnded, untilRun } from "../../../fakes/aRuntime.ts";
import { accept, aStore, claim, end } from "../../../fakes/aStore.ts";
import { ManualClock } from "../../../fakes/manualClock.ts";
import { aCall, ScriptedModel } from "../../../fakes/scriptedModel.ts";

describe("a run at work", () => {
	it("says how far it is, with the turn, the tool and what is used, stored and fired like its other events", async () => {
		const clock = new ManualClock();
		const calls = [aCall("read_file", { path: "notes.txt" })];
		const model = new ScriptedModel({ text: "I look.", calls }, { text: "Seven.", hangs: "politely" });
		const runtime = await aRuntime(model, { clock });
		const fired: RunEvent[] = [];
		runtime.onEvent((event) => fired.push(event));
		const answer = await runtime.spawn({ agent: "scout", task: "Look", taskId: "t-1" });
		if (!answer.accepted) throw new Error(answer.error);
		await expect.poll(() => model.requests.length).toBe(2);
		// What came within the first second is told with its end.
		clock.advance(1_000);
		const progressed = async () =>
			(await runtime.transcripts.readEvents(answer.runId)).filter(({ type }) => type === "subagent.progressed");
		await expect.poll(progressed).toHaveLength(2);
		expect(await progressed()).toMatchObject([
			{ turn: 1, tool: null, usage: { inputTokens: 100 }, runKind: "subagent", lane: "subagent", taskId: "t-1", at: 0 },
			{ turn: 1, tool: "read_file", usage: { inputTokens: 100, outputTokens: 10 }, at: 1_000 },
		]);
		expect(fired.filter(({ type }) => type === "subagent.progressed")).toEqual(await progressed());
		await runtime.stop(answer.runId);
		await untilRun(runtime, answer.runId, hasEnded);
	});

	it("says nothing of that after its end", () => {
		const sql = aStore();
		accept(sql, "run_a");
		claim(sql);
		end(sql, "run_a");
		const facts = { runId: "run_a", turn: 1, tool: null, usage: noUsage, at: 10 };
		expect(operations.recordProgress(sql, facts)).toBeNull();
		expect(operations.readEvents(sql, { runId: "run_a" }).map(({ type }) => type)).not.toContain("subagent.progressed");
	});
});
