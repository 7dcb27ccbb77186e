import { describe, expect, it } from "vitest";
import { aRuntime, hasEnded, untilRun } from "../../../fakes/aRuntime.ts";
import { GatedModel } from "../../../fakes/gatedModel.ts";
import { aCall } from "../../../fakes/scriptedModel.ts";
import type { Runtime } from "../../../../src/core/runtime.ts";

async function spawned(runtime: Runtime, task: string): Promise<string> {
	const answer = await runtime.spawn({ agent: "scout", task });
	if (!answer.accepted) throw new Error(answer.error);
	return answer.runId;
}

const look = { text: "I look.", calls: [aCall("read_file", { path: "notes.txt" })] };

describe("a run at work, at its next boundary", () => {
	it("pauses when it was asked to, gives its slot to others, and goes on where it was", async () => {
		const model = new GatedModel(look, { text: "SUMMARY: The other." }, { text: "SUMMARY: Seven." });
		const runtime = await aRuntime(model, { laneLimit: () => 1 });
		const runId = await spawned(runtime, "Look");
		await model.asked;
		const other = await spawned(runtime, "Other");
		await runtime.control.pause(runId);
		expect(runtime.runs.get(runId)).toMatchObject({ state: "running", hold: null });
		model.open();
		await untilRun(runtime, runId, ({ hold }) => hold === "paused");
		expect(await untilRun(runtime, other, hasEnded)).toMatchObject({ state: "ok", summary: "The other." });
		expect(model.requests).toHaveLength(2);
		await runtime.control.continue(runId);
		expect(await untilRun(runtime, runId, hasEnded)).toMatchObject({ state: "ok", summary: "Seven." });
		expect(JSON.stringify(model.requests[2]?.messages)).toContain("seven");
		const events = await runtime.transcripts.readEvents(runId);
		expect(events.map(({ type }) => type)).toEqual(expect.arrayContaining(["subagent.paused", "subagent.resumed"]));
		expect((await runtime.transcripts.verify()).violations).toEqual([]);
	});

	it("reads what was said to it meanwhile, after the results of its calls, once", async () => {
		const model = new GatedModel(look, look, { text: "SUMMARY: Seven." });
		const runtime = await aRuntime(model);
		const runId = await spawned(runtime, "Look");
		await model.asked;
		const session = await runtime.control.session(runtime.runs.get(runId)?.sessionId ?? "");
		expect(await runtime.control.send(session, "Mind the tests")).toMatchObject({ kind: "steered" });
		model.open();
		expect(await untilRun(runtime, runId, hasEnded)).toMatchObject({ state: "ok" });
		expect(model.requests[1]?.messages.map(({ role }) => role).slice(-2)).toEqual(["tool", "user"]);
		expect(model.requests[1]?.messages.at(-1)).toMatchObject({ text: "Mind the tests" });
		expect(JSON.stringify(model.requests[2]?.messages).split("Mind the tests")).toHaveLength(2);
		expect(runtime.runs.list()).toHaveLength(1);
	});
});
