import { rmSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { aCall, ScriptedModel } from "../../../fakes/scriptedModel.ts";
import { anAgentFile, aRuntime, hasEnded, untilRun } from "../../../fakes/aRuntime.ts";
import { temporaryFolder } from "../../../fakes/temporaryFolder.ts";
import type { Runtime } from "../../../../src/core/runtime.ts";

async function spawn(runtime: Runtime, agent = "scout"): Promise<string> {
	const answer = await runtime.spawn({ agent, task: "Look" });
	if (!answer.accepted) throw new Error(answer.error);
	return answer.runId;
}

async function inboxOf(runtime: Runtime): Promise<string> {
	return (await runtime.transcripts.readSession("agent:main:user", 0, 10)).map(({ text }) => text).join("\n");
}

describe("how runs end", () => {
	it.each(["politely", "deafly"] as const)(
		"stops mid-stream when the model hangs %s, keeping what it had said",
		async (hangs) => {
			const runtime = await aRuntime(new ScriptedModel({ text: "Half an answer", hangs }));
			const runId = await spawn(runtime);
			await untilRun(runtime, runId, (run) => run.state === "running");
			await runtime.stop(runId);
			const run = await untilRun(runtime, runId, hasEnded);
			expect(run.state).toBe("canceled");
			const transcript = await runtime.transcripts.read(run, 0, 100);
			expect(transcript.map(({ text }) => text).join("|")).toContain("Stopped.");
			await expect.poll(() => inboxOf(runtime)).toContain('"Look" was stopped');
		},
	);

	it("stops a queued run without ever starting it, and starts the next one in its place", async () => {
		const model = new ScriptedModel({ hangs: "politely" }, { text: "Done." });
		const runtime = await aRuntime(model, { laneLimit: () => 1 });
		const first = await spawn(runtime);
		const second = await spawn(runtime);
		const third = await spawn(runtime);
		await untilRun(runtime, first, (run) => run.state === "running");
		expect(runtime.runs.get(third)).toMatchObject({ state: "queued", queuePosition: 2 });
		await runtime.stop(second);
		expect(runtime.runs.get(second)).toMatchObject({ state: "canceled", startedAt: null });
		expect(runtime.runs.get(third)).toMatchObject({ queuePosition: 1 });
		await runtime.stop(first);
		expect((await untilRun(runtime, third, hasEnded)).state).toBe("ok");
	});

	it("changes nothing when a run that has ended is stopped again", async () => {
		const runtime = await aRuntime(new ScriptedModel({ text: "Done." }));
		const runId = await spawn(runtime);
		const run = await untilRun(runtime, runId, hasEnded);
		await runtime.stop(runId);
		// That it was announced meanwhile is the one thing that may be new.
		expect(runtime.runs.get(runId)).toEqual({ ...run, revision: expect.any(Number) });
	});

	it("fails with the model's own words, and tells the user", async () => {
		const runtime = await aRuntime(new ScriptedModel({ error: "the model is on strike" }));
		const runId = await spawn(runtime);
		expect(await untilRun(runtime, runId, hasEnded)).toMatchObject({ state: "error", error: "the model is on strike" });
		await expect.poll(() => inboxOf(runtime)).toContain("failed: the model is on strike");
	});

	it("ends with the reason when the folder has gone before it starts", async () => {
		const repoFolder = temporaryFolder({ ".agents/agents/scout.md": anAgentFile("scout") });
		const model = new ScriptedModel({ hangs: "politely" }, { text: "Done." });
		const runtime = await aRuntime(model, { repoFolder, laneLimit: () => 1 });
		const first = await spawn(runtime);
		const second = await spawn(runtime);
		await untilRun(runtime, first, (run) => run.state === "running");
		rmSync(repoFolder, { recursive: true });
		await runtime.stop(first);
		expect(await untilRun(runtime, second, hasEnded)).toMatchObject({
			state: "error",
			error: "The agent scout is not there any more.",
		});
	});

	it("counts an empty answer as a failure", async () => {
		const runtime = await aRuntime(new ScriptedModel({ text: " " }));
		const runId = await spawn(runtime);
		expect(await untilRun(runtime, runId, hasEnded)).toMatchObject({ state: "error", summary: null });
	});

	it("ends partial when it has used its turns", async () => {
		const folder = temporaryFolder({ ".agents/agents/brief.md": anAgentFile("brief", "maxTurns: 2\n") });
		const call = { text: "Again. ", calls: [aCall("list_dir", {})] };
		const runtime = await aRuntime(new ScriptedModel(call, call, call), { repoFolder: folder });
		const runId = await spawn(runtime, "brief");
		expect(await untilRun(runtime, runId, hasEnded)).toMatchObject({ state: "partial", summary: "Again." });
	});

	it("times out by the wall clock of its agent file", async () => {
		const folder = temporaryFolder({ ".agents/agents/quick.md": anAgentFile("quick", "runTimeoutSeconds: 1\n") });
		const runtime = await aRuntime(new ScriptedModel({ text: "Well", hangs: "politely" }), { repoFolder: folder });
		const runId = await spawn(runtime, "quick");
		expect(await untilRun(runtime, runId, hasEnded)).toMatchObject({ state: "timeout" });
		await expect.poll(() => inboxOf(runtime)).toContain("timed out");
	});
});
