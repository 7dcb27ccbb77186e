/** The limits on a model's silence, and what does not count as one. */
import { describe, expect, it } from "vitest";
import type { ModelPart, ModelRequest } from "../../../../src/core/models/modelPort.ts";
import type { Runtime } from "../../../../src/core/runtime.ts";
import { anAgentFile, aRuntime, hasEnded, untilRun } from "../../../fakes/aRuntime.ts";
import { ManualClock } from "../../../fakes/manualClock.ts";
import { aCall, ScriptedModel } from "../../../fakes/scriptedModel.ts";
import { temporaryFolder } from "../../../fakes/temporaryFolder.ts";
import { WindowedModel } from "../../../fakes/windowedModel.ts";

/** Takes its time for the input of a call, which is no part of its answer until it is whole. */
class SlowCaller extends ScriptedModel {
	readonly gate = Promise.withResolvers<void>();

	override async *stream(request: ModelRequest): AsyncGenerator<ModelPart> {
		const isFirst = this.requests.length === 0;
		this.requests.push(request);
		if (isFirst) {
			request.onProgress?.();
			await this.gate.promise;
		}
		const reply = new ScriptedModel(
			isFirst ? { calls: [aCall("read_file", { path: "notes.txt" })] } : { text: "Done." },
		);
		yield* reply.stream(request);
	}
}

const noWall = { runTimeoutSeconds: 0 };

async function started(model: ScriptedModel, fields: string, request: object = noWall, more = {}) {
	const clock = new ManualClock();
	const repoFolder = temporaryFolder({ ".agents/agents/scout.md": anAgentFile("scout", fields), ...more });
	const runtime = await aRuntime(model, { clock, repoFolder });
	const answer = await runtime.spawn({ agent: "scout", task: "Look", ...request });
	if (!answer.accepted) throw new Error(answer.error);
	await expect.poll(() => model.requests.length).toBeGreaterThan(0);
	return { clock, runtime, runId: answer.runId };
}

/** Streamed text is written a moment later: time passes in small steps until it is there. */
async function untilSaid(runtime: Runtime, runId: string, clock: ManualClock, text: string): Promise<void> {
	const run = runtime.runs.get(runId);
	if (!run) throw new Error("There is no such run");
	const said = async () => {
		clock.advance(100);
		return (await runtime.transcripts.read(run, 0, 100)).map((entry) => entry.text);
	};
	await expect.poll(said).toContain(text);
}

describe("a model that says nothing", () => {
	it("before its first token ends the run after half an hour", async () => {
		const { clock, runtime, runId } = await started(new ScriptedModel({ hangs: "politely" }), "timeoutSeconds: 5\n");
		clock.advance(1_799_999);
		expect(runtime.runs.get(runId)).toMatchObject({ state: "running" });
		clock.advance(1);
		expect(await untilRun(runtime, runId, hasEnded)).toMatchObject({
			state: "timeout",
			error: "The model did not begin to answer in time.",
		});
	});

	it.each([
		["of the agent's file", "timeoutSeconds: 30\n", 30_000],
		["of two minutes, where the file says nothing", "", 120_000],
	])("between tokens ends it after the limit %s, and keeps what was said", async (_, fields, limit) => {
		const { clock, runtime, runId } = await started(new ScriptedModel({ text: "Half", hangs: "politely" }), fields);
		await untilSaid(runtime, runId, clock, "Half");
		expect(runtime.runs.get(runId)).toMatchObject({ state: "running" });
		clock.advance(limit);
		const run = await untilRun(runtime, runId, hasEnded);
		expect(run).toMatchObject({ state: "timeout", error: "The model fell silent in the middle of its answer." });
		expect((await runtime.transcripts.read(run, 0, 100)).map(({ text }) => text)).toContain("Half");
	});

	it("but works on the input of a call is not silent", async () => {
		const model = new SlowCaller();
		const { clock, runtime, runId } = await started(model, "timeoutSeconds: 30\n");
		for (let part = 0; part < 10; part++) {
			clock.advance(29_999);
			model.requests[0]?.onProgress?.();
		}
		expect(runtime.runs.get(runId)).toMatchObject({ state: "running" });
		model.gate.resolve();
		expect(await untilRun(runtime, runId, hasEnded)).toMatchObject({ state: "ok" });
	});

	it("while it summarises older turns ends the run like in any other request", async () => {
		const calls = Array.from({ length: 8 }, (_, index) => ({
			calls: [aCall("read_file", { path: "long.txt", offset: index + 1 }, `${index}`)],
		}));
		const model = new WindowedModel(12_000, calls, [{ hangs: "politely" }]);
		const { clock, runtime, runId } = await started(model, "", noWall, {
			"long.txt": "word ".repeat(20).concat("\n").repeat(40),
		});
		await expect.poll(() => model.summaryRequests.length).toBe(1);
		clock.advance(1_799_999);
		expect(runtime.runs.get(runId)).toMatchObject({ state: "running" });
		clock.advance(1);
		expect(await untilRun(runtime, runId, hasEnded)).toMatchObject({
			state: "timeout",
			error: "The model did not begin to answer in time.",
		});
	});

	it("may do so as long as it likes where the agent's file says 0", async () => {
		const { clock, runtime, runId } = await started(new ScriptedModel({ hangs: "politely" }), "timeoutSeconds: 0\n");
		clock.advance(86_400_000);
		await runtime.stop(runId);
		expect(await untilRun(runtime, runId, hasEnded)).toMatchObject({ state: "canceled" });
	});
});

describe("a person who takes their time", () => {
	it("costs a run with a short limit nothing, and what is left of it counts on from the answer", async () => {
		const calls = [aCall("write_file", { path: "new.txt", content: "eight\n" })];
		const model = new ScriptedModel({ calls }, { hangs: "politely" });
		const { clock, runtime, runId } = await started(model, "", { runTimeoutSeconds: 10 });
		await expect.poll(() => runtime.approvals.waiting.length).toBe(1);
		await untilRun(runtime, runId, ({ state }) => state === "waiting_approval");
		clock.advance(3_600_000);
		expect(runtime.runs.get(runId)).toMatchObject({ state: "waiting_approval" });
		await runtime.approvals.answer(runtime.approvals.waiting[0]?.id ?? "", { verdict: "allow", by: "tree" });
		await expect.poll(() => model.requests.length).toBe(2);
		expect(model.requests[1]?.messages.at(-1)).toMatchObject({
			role: "tool",
			text: expect.stringContaining("new.txt"),
		});
		clock.advance(9_999);
		expect(model.requests[1]?.signal.aborted).toBe(false);
		clock.advance(1);
		expect(await untilRun(runtime, runId, hasEnded)).toMatchObject({
			state: "timeout",
			error: "It reached its time limit.",
		});
	});
});
