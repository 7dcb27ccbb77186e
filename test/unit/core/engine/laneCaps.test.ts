import path from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { LaneCaps } from "../../../../src/core/engine/laneCaps.ts";
import { Database } from "../../../../src/core/store/database.ts";
import { aRuntime, hasEnded, untilRun, workerFile } from "../../../fakes/aRuntime.ts";
import { ManualClock } from "../../../fakes/manualClock.ts";
import { RecordingLogger } from "../../../fakes/recordingLogger.ts";
import { ScriptedModel } from "../../../fakes/scriptedModel.ts";
import { temporaryFolder } from "../../../fakes/temporaryFolder.ts";

async function open(folder: string): Promise<Database> {
	const database = await Database.open({ folder, host: null, workerFile, logger: new RecordingLogger() });
	onTestFinished(() => database.close());
	return database;
}

async function capsIn(database: Database): Promise<string[]> {
	const { lanes } = await database.call("readQueueFacts", { at: 0 });
	return lanes.map(({ name, cap }) => `${name} ${cap}`);
}

describe("the lanes' limits", () => {
	it("are this window's settings from when it opens, and again whenever they change", async () => {
		const storeFolder = path.join(temporaryFolder(), "store");
		const limits = { main: 2, subagent: 3 };
		const runtime = await aRuntime(new ScriptedModel(), {
			storeFolder,
			laneLimit: () => limits.subagent,
			mainLaneLimit: () => limits.main,
		});
		const database = await open(storeFolder);
		expect(await capsIn(database)).toEqual(["main 2", "subagent 3"]);
		limits.main = 7;
		await runtime.applySettings();
		expect(await capsIn(database)).toEqual(["main 7", "subagent 3"]);
	});

	it("stay as others have set them where this process has no say in them", async () => {
		const database = await open(temporaryFolder());
		const clock = new ManualClock();
		await new LaneCaps({ database, clock, laneLimit: () => 3, mainLaneLimit: () => 2 }).write({});
		await new LaneCaps({ database, clock }).write({});
		await new LaneCaps({ database, clock, laneLimit: () => 5 }).write({});
		expect(await capsIn(database)).toEqual(["main 2", "subagent 5"]);
	});
});

describe("the time until runs are archived", () => {
	it("is the setting's, as it is then", async () => {
		const clock = new ManualClock();
		let minutes = 90;
		const runtime = await aRuntime(new ScriptedModel({ text: "Done." }), { clock, archiveAfterMinutes: () => minutes });
		const told = new Promise((resolve) => runtime.onDidAnnounce(resolve));
		const answer = await runtime.spawn({ agent: "scout", task: "Look" });
		if (!answer.accepted) throw new Error(answer.error);
		await untilRun(runtime, answer.runId, hasEnded);
		await told;
		minutes = 30;
		// The archiver looks once a minute, each time when the last look is over.
		const listed = () => {
			clock.advance(60_000);
			return runtime.runs.list().length;
		};
		await expect.poll(listed, { interval: 2, timeout: 10_000 }).toBe(0);
		expect(clock.now()).toBeGreaterThanOrEqual(30 * 60_000);
	});
});
