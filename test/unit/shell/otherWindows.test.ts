/** Windows that have subagents and do not answer: what the view says of them, and what ending one does. */
import { beforeEach, describe, expect, it, vi } from "vitest";
import { aRuntime, hasEnded, untilRun } from "../../fakes/aRuntime.ts";
import { aWindow } from "../../fakes/aWindow.ts";
import { editor, resetEditor } from "../../fakes/editorStandIn.ts";
import { TaskModel } from "../../fakes/taskModel.ts";
import { recover } from "../core/faults/recover.ts";
import { goesOn, Scene, says } from "../core/faults/scene.ts";

vi.mock("vscode", () => import("../../fakes/editorStandIn.ts"));
beforeEach(resetEditor);

/** Another window with one subagent at work and one queued, which has just stopped to answer; and this one. */
async function aSilentWindow() {
	const scene = new Scene();
	const host = scene.start({ laneLimit: 1 });
	await host.until(says("opened"));
	const executing = await host.spawn("Hang");
	const queued = await host.spawn("Read later");
	await host.until(says("hangs"));
	host.signal("SIGSTOP");
	const { repoFolder, storeFolder } = scene;
	const runtime = await aRuntime(new TaskModel(), { repoFolder, storeFolder, laneLimit: () => 2 });
	return { scene, host, executing, queued, runtime, ...aWindow(runtime) };
}

describe("a window that does not answer", { timeout: 60_000 }, () => {
	it("is named in its rows, and no more when it answers again", async () => {
		const { scene, host, executing, queued, runtime, row } = await aSilentWindow();
		const silence = /a window of VS Code \(process \d+\) does not answer/u;
		await expect.poll(async () => (await row(queued))?.description, { timeout: 10_000 }).toMatch(silence);
		expect(await row(queued)).toMatchObject({ contextValue: "run.queued.unanswered" });
		expect(await row(executing)).toMatchObject({ contextValue: "run.live.unanswered" });

		host.signal("SIGCONT");
		await untilRun(runtime, queued, hasEnded);
		await expect.poll(async () => (await row(executing))?.contextValue).toBe("run.live");
		await runtime.stop(executing);
		await untilRun(runtime, executing, hasEnded);
		await host.until(says("announced", executing));
		await host.close();
		await runtime.close();
		expect(await recover(scene)).toEqual([]);
	});

	it("is ended when that is confirmed: what it executes is lost, what it queued is parked, and it goes on without them", async () => {
		const { scene, host, executing, queued, runtime, row, commands } = await aSilentWindow();
		await expect.poll(async () => (await row(queued))?.contextValue, { timeout: 10_000 }).toMatch(/unanswered$/u);
		await commands.endHost(queued);
		expect(editor.said.at(-1)).toMatch(
			/^End a window of VS Code \(process \d+\), which does not answer\?\n• scout: Read later is parked\n• scout: Hang ends as lost\n\nWhat they have done/u,
		);
		expect(runtime.runs.get(executing)).toMatchObject({ state: "running" });

		editor.press = (_, buttons) => buttons.find((button) => button === "End It");
		await commands.endHost(queued);
		expect(editor.said.at(-1)).toMatch(/^1 ended as lost, 1 parked\./u);
		expect(runtime.runs.get(executing)).toMatchObject({ state: "lost" });
		expect(runtime.runs.get(queued)).toMatchObject({ state: "queued", hold: "parked" });
		expect(await row(queued)).toMatchObject({ contextValue: "run.parked" });
		await commands.resumeRun(queued);
		expect(await untilRun(runtime, queued, hasEnded)).toMatchObject({ state: "ok" });

		host.signal("SIGCONT");
		await host.until(says("stopped"));
		await goesOn(host);
		await host.close();
		await runtime.close();
		expect(await recover(scene)).toEqual([]);
	});

	it("is named after five seconds to who stops a subagent of it, who may end it from there", async () => {
		const { host, executing, runtime, commands } = await aSilentWindow();
		editor.press = (_, buttons) => buttons.find((button) => button.startsWith("End It"));
		await commands.stopRun(executing);
		expect(await untilRun(runtime, executing, hasEnded)).toMatchObject({ state: "lost" });
		expect(editor.said[0]).toMatch(
			/^“Hang” has not stopped: a window of VS Code \(process \d+\) has it and does not answer\./u,
		);
		await expect.poll(() => editor.said).toHaveLength(3);
		host.signal("SIGKILL");
	});

	it("is asked for by name alone: where every window answers, there is nothing to end", async () => {
		const runtime = await aRuntime(new TaskModel());
		await aWindow(runtime).commands.endHost(undefined);
		expect(editor.said).toEqual(["Every window answers."]);
	});
});
