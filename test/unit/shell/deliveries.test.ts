/** Results that do not reach who asked for them: what the view says, and what a person can do. */
import path from "node:path";
import { beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { openDatabase } from "../../../src/core/store/openDatabase.ts";
import { RunNotifier } from "../../../src/shell/notifications/runNotifier.ts";
import { aRuntime, hasEnded, untilRun } from "../../fakes/aRuntime.ts";
import { aWindow } from "../../fakes/aWindow.ts";
import { editor, resetEditor } from "../../fakes/editorStandIn.ts";
import { GatedModel } from "../../fakes/gatedModel.ts";
import { temporaryFolder } from "../../fakes/temporaryFolder.ts";

vi.mock("vscode", () => import("../../fakes/editorStandIn.ts"));
beforeEach(resetEditor);

const user = "agent:main:user";

/** A run that has ended after the session that asked for it was deleted. */
async function aDeadLetter({ isNotified = false } = {}) {
	const storeFolder = path.join(temporaryFolder(), "store");
	const model = new GatedModel({ text: "Seven. SUMMARY: Seven." });
	const runtime = await aRuntime(model, { storeFolder });
	const { sql } = openDatabase(storeFolder);
	onTestFinished(() => sql.close());
	const answer = await runtime.spawn({ agent: "scout", task: "Count" });
	if (!answer.accepted) throw new Error(answer.error);
	await model.asked;
	const setDeleted = (at: number | null) =>
		sql.run("UPDATE session SET deleted_at = :at WHERE key = :user", { at, user });
	const own = aWindow(runtime);
	if (isNotified) {
		const notifier = new RunNotifier(own.runtimes);
		onTestFinished(() => notifier.dispose());
	}
	setDeleted(1);
	model.open();
	await untilRun(runtime, answer.runId, (run) => hasEnded(run) && run.undelivered !== null);
	return { runtime, runId: answer.runId, sql, setDeleted, ...own };
}

describe("a result whose requester is gone", () => {
	it("is a dead letter, which its row says, and which stays when finished ones are cleared", async () => {
		const { runtime, runId, row, commands } = await aDeadLetter();
		expect(await row(runId)).toEqual({
			description: expect.stringContaining("finished, result not delivered: who asked for it is gone"),
			contextValue: "run.finished.undelivered",
		});
		expect((await runtime.transcripts.readEvents(runId)).at(-1)).toMatchObject({
			type: "subagent.announced",
			delivery: "dead_letter",
		});
		await commands.clearFinished(undefined);
		expect(runtime.runs.get(runId)).toBeDefined();
		expect((await runtime.transcripts.verify()).violations).toEqual([]);
	});

	it("is told of once, with what can be done about it", async () => {
		const offered: (readonly string[])[] = [];
		editor.press = (_, buttons) => void offered.push(buttons);
		const { runtime } = await aDeadLetter({ isNotified: true });
		runtime.runs.put(runtime.runs.list());
		expect(editor.said).toEqual(["scout: “Count” has ended, and its result did not reach who asked for it."]);
		expect(offered).toEqual([["Open Transcript", "Retry Delivery", "Dismiss Undelivered Result"]]);
	});

	it("is not delivered by Retry while the requester is gone, which is said, and is when it is there again", async () => {
		const { runtime, runId, row, commands, setDeleted } = await aDeadLetter();
		await commands.retryDelivery(runId);
		expect(editor.said).toEqual([
			"The result of “Count” could not be delivered. Who asked for it is gone. Its transcript has it; dismiss it when you have read it.",
		]);
		expect(await row(runId)).toMatchObject({ contextValue: "run.finished.undelivered" });

		setDeleted(null);
		editor.answers = ["Count"];
		await commands.retryDelivery(undefined);
		expect(await row(runId)).toMatchObject({ contextValue: "run.finished" });
		expect(await runtime.transcripts.readSession(user, 0, 10)).toMatchObject([
			{ kind: "announcement", text: expect.stringContaining("Seven.") },
		]);
		expect((await runtime.transcripts.verify()).violations).toEqual([]);
	});

	it("and one that is blocked says so too, and is delivered by Retry", async () => {
		const { runId, row, commands, sql, setDeleted } = await aDeadLetter();
		setDeleted(null);
		sql.run("UPDATE announcement SET state = 'blocked', settled_at = NULL");
		await expect.poll(async () => (await row(runId))?.description).toMatch(/finished, result not delivered ·/u);
		await commands.retryDelivery(runId);
		expect(await row(runId)).toMatchObject({ contextValue: "run.finished" });
		expect(sql.get("SELECT state FROM announcement")).toEqual({ state: "delivered" });
	});

	it("rests when it is dismissed, and is offered no more", async () => {
		const { runId, row, commands, sql } = await aDeadLetter();
		await commands.dismissDelivery(runId);
		expect(await row(runId)).toMatchObject({ contextValue: "run.finished" });
		expect(sql.get("SELECT state FROM announcement")).toEqual({ state: "dismissed" });
		await commands.retryDelivery(undefined);
		expect(editor.said).toEqual(["Every result has been delivered."]);
	});
});
