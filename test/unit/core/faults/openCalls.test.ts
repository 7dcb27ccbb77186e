/** A process that dies in the middle of a call that changes a file, and what the run that goes on hears of it. */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import type { ModelPart, ModelRequest } from "../../../../src/core/models/modelPort.ts";
import type { KillAt } from "../../../../src/core/store/workerProtocol.ts";
import { aRuntime, hasEnded, untilRun } from "../../../fakes/aRuntime.ts";
import { TaskModel } from "../../../fakes/taskModel.ts";
import { recover } from "./recover.ts";
import { Scene } from "./scene.ts";

/** Remembers what it was asked. */
class HearingModel extends TaskModel {
	readonly requests: ModelRequest[] = [];

	override async *stream(request: ModelRequest): AsyncGenerator<ModelPart> {
		this.requests.push(request);
		yield* super.stream(request);
	}
}

/** Kills a host while its run writes `new.txt`, and lets the run go on in another process. */
async function cutOff(killAt: KillAt, change: (file: string) => void = () => undefined) {
	const scene = new Scene();
	expect(await scene.start({ spawns: 1, task: "Write", edits: "allow", killAt }).ended).toBe("SIGKILL");
	const file = path.join(scene.repoFolder, "new.txt");
	const isWritten = existsSync(file);
	change(file);
	const model = new HearingModel();
	const { repoFolder, storeFolder } = scene;
	const runtime = await aRuntime(model, { repoFolder, storeFolder });
	const [lost] = runtime.runs.list();
	if (lost?.state !== "lost") throw new Error("There is no run that was cut off");
	const resumed = await runtime.control.resume(lost);
	await untilRun(runtime, resumed.id, hasEnded);
	return { scene, runtime, model, file, isWritten, resumed };
}

function heard(request: ModelRequest | undefined): readonly string[] {
	const texts = request?.messages.flatMap((message) => (message.role === "user" ? [message.text] : [])) ?? [];
	return texts.filter((text) => text.startsWith("An earlier run of this session was cut off"));
}

const moments: readonly [string, KillAt, boolean, string][] = [
	["before it was planned", { call: "planChange", moment: "before" }, false, "not done. Nothing was written to disk."],
	["before the write", { call: "planChange", moment: "after" }, false, "not done. The file does not exist."],
	[
		"between the write and the commit that records it",
		{ call: "settleChange", moment: "before" },
		true,
		"done. The file has the content that was to be written.",
	],
	[
		"between that commit and its result",
		{ call: "settleChange", moment: "after" },
		true,
		"done. The file has the content that was to be written.",
	],
];

describe("a process that is killed while it writes a file", { timeout: 60_000 }, () => {
	it.for(moments)("%s: the run that goes on hears what became of it", async ([, killAt, isWritten, verdict]) => {
		const cut = await cutOff(killAt);
		expect(cut.isWritten).toBe(isWritten);
		expect(heard(cut.model.requests[0])).toEqual([expect.stringMatching(/:\n- write_file new\.txt: /u)]);
		expect(heard(cut.model.requests[0])[0]).toContain(`- write_file new.txt: ${verdict}`);
		// And so does who reads the transcript.
		const entries = await cut.runtime.transcripts.read(cut.resumed, 0, 100);
		expect(entries.filter(({ kind, text }) => kind === "notice" && text.includes(verdict))).toHaveLength(1);
		expect(existsSync(cut.file)).toBe(isWritten);
		await cut.runtime.close();
		expect(await recover(cut.scene)).toEqual([]);
	});

	it("and somebody else changes that file: it hears that nobody knows, once, and nothing is overwritten", async () => {
		const { scene, runtime, model, file, resumed } = await cutOff({ call: "settleChange", moment: "before" }, (name) =>
			writeFileSync(name, "nine\n"),
		);
		expect(heard(model.requests[0])[0]).toContain(
			"- write_file new.txt: unknown. The file is neither as it was before",
		);
		const session = await runtime.control.session(resumed.sessionId);
		const { run } = await runtime.control.send(session, "And now?");
		await untilRun(runtime, run.id, hasEnded);
		expect(heard(model.requests[1])).toEqual(heard(model.requests[0]));
		expect(readFileSync(file, "utf8")).toBe("nine\n");
		await runtime.close();
		expect(await recover(scene)).toEqual([]);
	});
});
