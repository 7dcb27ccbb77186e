/** The commands on runs, on real runtimes, with dialogs that the test answers. */
import { readFileSync } from "node:fs";
import path from "node:path";
import { beforeEach, describe, expect, it, vi } from "vitest";
import type { Runtime } from "../../../src/core/runtime.ts";
import { aRuntime, hasEnded, untilRun } from "../../fakes/aRuntime.ts";
import { aWindow } from "../../fakes/aWindow.ts";
import { editor, resetEditor } from "../../fakes/editorStandIn.ts";
import { ScriptedModel } from "../../fakes/scriptedModel.ts";
import { temporaryFolder } from "../../fakes/temporaryFolder.ts";

vi.mock("vscode", () => import("../../fakes/editorStandIn.ts"));
beforeEach(resetEditor);

async function spawned(runtime: Runtime, task = "Look"): Promise<string> {
	const answer = await runtime.spawn({ agent: "scout", task });
	if (!answer.accepted) throw new Error(answer.error);
	return answer.runId;
}

async function ended(runtime: Runtime, task?: string): Promise<string> {
	const runId = await spawned(runtime, task);
	await untilRun(runtime, runId, hasEnded);
	return runId;
}

/** Waits until the model is really asked: before that, stopping leaves its reply to the next. */
async function asked(model: ScriptedModel, times = 1): Promise<void> {
	await expect.poll(() => model.requests.length).toBe(times);
}

const states = (runtime: Runtime) => runtime.runs.list().map(({ state }) => state);

describe("a message", () => {
	it("to a subagent at work is read at its next step", async () => {
		const runtime = await aRuntime(new ScriptedModel({ text: "I begin.", hangs: "politely" }));
		const { commands } = aWindow(runtime);
		const runId = await spawned(runtime);
		await untilRun(runtime, runId, ({ state }) => state === "running");
		editor.answers = ["Look at the tests too"];
		await commands.sendMessage(runId);
		expect(editor.said).toEqual(["scout reads your message at its next step: “Look”"]);
		expect(runtime.runs.list()).toHaveLength(1);
	});

	it("to one that has ended is answered by a new run, which remembers", async () => {
		const model = new ScriptedModel({ text: "Seven. SUMMARY: Seven." }, { text: "Still seven. SUMMARY: Seven." });
		const runtime = await aRuntime(model);
		const { commands } = aWindow(runtime);
		const runId = await ended(runtime);
		editor.answers = ["Are you sure?"];
		const next = (await commands.sendMessage(runId)) as string;
		expect(await untilRun(runtime, next, hasEnded)).toMatchObject({ state: "ok", cause: "send" });
		expect(JSON.stringify(model.requests[1]?.messages)).toMatch(/Seven\..*Are you sure\?/su);
	});

	it("that is not typed is not sent", async () => {
		const runtime = await aRuntime(new ScriptedModel({ text: "Done. SUMMARY: Done." }));
		const runId = await ended(runtime);
		expect(await aWindow(runtime).commands.sendMessage(runId)).toBeUndefined();
		expect(runtime.runs.list()).toHaveLength(1);
	});
});

describe("resuming", () => {
	it("goes on from the transcript of what was stopped, in a new run, which is shown", async () => {
		const model = new ScriptedModel({ text: "I begin.", hangs: "politely" }, { text: "Done. SUMMARY: Done." });
		const runtime = await aRuntime(model);
		const { commands, shown } = aWindow(runtime);
		const runId = await spawned(runtime);
		await asked(model);
		await commands.stopRun(runId);
		await untilRun(runtime, runId, hasEnded);
		const next = (await commands.resumeRun(runId)) as string;
		expect(await untilRun(runtime, next, hasEnded)).toMatchObject({ state: "ok", cause: "resume" });
		expect(shown).toEqual([next]);
		expect(JSON.stringify(model.requests[1]?.messages)).toContain("Continue from where you stopped");
	});

	it("of nothing says so", async () => {
		const runtime = await aRuntime(new ScriptedModel({ text: "Done. SUMMARY: Done." }));
		await ended(runtime);
		await aWindow(runtime).commands.resumeRun(undefined);
		expect(editor.said).toEqual(["No subagent was cut off."]);
	});
});

describe("the queue", () => {
	it("says why each subagent waits, is paused and goes on, and lets one start next", async () => {
		const replies = ["one", "three", "two"].map((text) => ({ text: `SUMMARY: ${text}` }));
		const model = new ScriptedModel({ text: "I hold.", hangs: "politely" }, ...replies);
		const runtime = await aRuntime(model, { laneLimit: () => 1 });
		const { commands } = aWindow(runtime);
		const first = await spawned(runtime, "Hold");
		await asked(model);
		const second = await spawned(runtime, "Second");
		const third = await spawned(runtime, "Third");
		expect(await runtime.control.explainWaits(runtime.runs.list())).toEqual(
			new Map([second, third].map((id) => [id, "1 of 1 are at work"])),
		);
		await commands.startNext(third);
		expect(runtime.runs.get(third)).toMatchObject({ queuePosition: 1 });

		await commands.pauseQueue(undefined);
		expect((await runtime.control.explainWaits(runtime.runs.list())).get(second)).toBe("the subagent lane is paused");
		await commands.stopRun(first);
		await untilRun(runtime, first, hasEnded);
		expect(runtime.runs.get(third)).toMatchObject({ state: "queued" });
		await commands.continueQueue(undefined);
		const [other, next] = await Promise.all([second, third].map((id) => untilRun(runtime, id, hasEnded)));
		expect(next?.startedAt).toBeLessThanOrEqual(other?.startedAt ?? 0);
		expect(model.requests[1]?.messages).toMatchObject([{ role: "user", text: "Third" }]);
	});

	it("holds a subagent that is paused, and starts it when it is to go on", async () => {
		const model = new ScriptedModel({ text: "I hold.", hangs: "politely" }, { text: "Done. SUMMARY: Done." });
		const runtime = await aRuntime(model, { laneLimit: () => 1 });
		const { commands } = aWindow(runtime);
		const first = await spawned(runtime, "Hold");
		await asked(model);
		const second = await spawned(runtime, "Second");
		await commands.pauseRun(second);
		await commands.stopRun(first);
		await untilRun(runtime, first, hasEnded);
		expect(runtime.runs.get(second)).toMatchObject({ state: "queued", hold: "paused" });
		await commands.continueRun(second);
		expect(await untilRun(runtime, second, hasEnded)).toMatchObject({ state: "ok" });
	});
});

describe("stopping all", () => {
	it("names them first, and stops them only when that is confirmed", async () => {
		const runtime = await aRuntime(new ScriptedModel({ hangs: "politely" }, { hangs: "politely" }));
		const { commands } = aWindow(runtime);
		const ids = [await spawned(runtime, "First"), await spawned(runtime, "Second")];
		await Promise.all(ids.map((id) => untilRun(runtime, id, ({ state }) => state === "running")));
		await commands.stopAll(undefined);
		expect(editor.said[0]).toMatch(/^Stop all 2 subagents\?\n• scout: Second \(\/shop\)\n• scout: First/u);
		expect(states(runtime)).toEqual(["running", "running"]);
		editor.press = (_, buttons) => buttons[0];
		await commands.stopAll(undefined);
		await Promise.all(ids.map((id) => untilRun(runtime, id, hasEnded)));
		expect(states(runtime)).toEqual(["canceled", "canceled"]);
	});
});

describe("what has ended", () => {
	it("leaves the list, alone or with all others, and comes back by Undo or when it is picked", async () => {
		const replies = ["One", "Two"].map((text) => ({ text: `SUMMARY: ${text}` }));
		const runtime = await aRuntime(new ScriptedModel(...replies));
		const { commands } = aWindow(runtime);
		const one = await ended(runtime, "One");
		await ended(runtime, "Two");
		editor.press = (_, buttons) => buttons.find((button) => button === "Undo");
		await commands.removeRun(one);
		await expect.poll(() => runtime.runs.get(one)).toBeDefined();
		editor.press = () => undefined;
		await commands.clearFinished(undefined);
		expect(runtime.runs.list()).toEqual([]);
		expect(editor.said.at(-1)).toBe("2 subagents have left the list. Transcripts and usage are kept.");
		editor.answers = ["One"];
		await commands.restoreRun(undefined);
		expect(runtime.runs.list()).toMatchObject([{ id: one }]);
	});

	it("is spawned again with the task that it had, for the person to change", async () => {
		const model = new ScriptedModel({ text: "SUMMARY: One" }, { text: "SUMMARY: Two" });
		const runtime = await aRuntime(model);
		const { commands } = aWindow(runtime);
		const runId = await ended(runtime, "Count the files");
		editor.answers = ["Count the folders"];
		const again = (await commands.spawnAgain(runId)) as string;
		expect(editor.proposed).toEqual(["Count the files"]);
		expect(await untilRun(runtime, again, hasEnded)).toMatchObject({ task: "Count the folders", agentId: "scout" });
		expect(runtime.runs.get(again)?.sessionId).not.toBe(runtime.runs.get(runId)?.sessionId);
	});

	it("has its transcript written to a file of the person's choice", async () => {
		const runtime = await aRuntime(new ScriptedModel({ text: "Seven. SUMMARY: Seven." }));
		const { commands } = aWindow(runtime);
		const runId = await ended(runtime, "Count: files/folders");
		const target = path.join(temporaryFolder(), "count.md");
		editor.answers = [target];
		await commands.exportTranscript(runId);
		expect(editor.proposed).toEqual(["/shop/Count files folders.md"]);
		expect(readFileSync(target, "utf8")).toContain("# Count: files/folders");
		expect(editor.said).toEqual([`The transcript was written to ${target}.`]);
	});
});
