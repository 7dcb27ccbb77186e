/** What people are told when runs end. */
import { beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { RunNotifier } from "../../../src/shell/notifications/runNotifier.ts";
import { aRuntime, hasEnded, untilRun } from "../../fakes/aRuntime.ts";
import { aWindow } from "../../fakes/aWindow.ts";
import { editor, resetEditor } from "../../fakes/editorStandIn.ts";
import { ManualClock } from "../../fakes/manualClock.ts";
import { ScriptedModel } from "../../fakes/scriptedModel.ts";

vi.mock("vscode", () => import("../../fakes/editorStandIn.ts"));
beforeEach(resetEditor);

describe("a provider that does not accept its key", () => {
	it("is told of once for all that were there, with the way to mend it, and again for a later one", async () => {
		const refusals = Array.from({ length: 6 }, () => ({ error: "The key was refused.", errorKind: "auth" as const }));
		const clock = new ManualClock();
		const runtime = await aRuntime(new ScriptedModel(...refusals), { clock });
		const notifier = new RunNotifier(aWindow(runtime).runtimes);
		onTestFinished(() => notifier.dispose());
		const offered: (readonly string[])[] = [];
		editor.press = (_, buttons) => void offered.push(buttons);
		const spawn = async () => {
			const answer = await runtime.spawn({ agent: "scout", task: "Count" });
			if (!answer.accepted) throw new Error(answer.error);
			return answer.runId;
		};
		const ids = await Promise.all(Array.from({ length: 5 }, spawn));
		for (const id of ids) {
			expect(await untilRun(runtime, id, hasEnded)).toMatchObject({ state: "error", failure: "auth" });
		}
		const said = "scout: “Count” failed: The key was refused.";
		await expect.poll(() => editor.said).toEqual([said]);
		expect(offered).toEqual([["Set API Key…", "Open Transcript", "Resume Subagent"]]);

		clock.advance(1_000);
		await untilRun(runtime, await spawn(), hasEnded);
		await expect.poll(() => editor.said).toEqual([said, said]);
	});
});
