/** What a spawn gets of agent files that have changed where no watcher says a word: the runtime has none. */
import { renameSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { anAgentFile, aRuntime, hasEnded, untilRun } from "../../../fakes/aRuntime.ts";
import { ScriptedModel } from "../../../fakes/scriptedModel.ts";
import { temporaryFolder, withFiles } from "../../../fakes/temporaryFolder.ts";

const done = { text: "Done.\n\nSUMMARY: Done." };
const textWith = (prompt: string) => anAgentFile("scout").replace("You look at things.", prompt);

async function aFolder() {
	const repoFolder = temporaryFolder({ ".agents/agents/scout.md": textWith("You look at red things.") });
	const model = new ScriptedModel(done, done, done);
	const runtime = await aRuntime(model, { repoFolder });
	/** The prompt that the run worked with; why there is none. */
	const spawn = async () => {
		const answer = await runtime.spawn({ agentId: "scout", task: "Look" });
		if (!answer.accepted) return answer.error;
		await untilRun(runtime, answer.runId, hasEnded);
		return JSON.stringify(model.requests.at(-1));
	};
	return { folder: path.join(repoFolder, ".agents"), repoFolder, spawn };
}

describe("an agent file that has changed unseen", () => {
	it("is what the next spawn works with, though its size and time are the same", async () => {
		const { folder, spawn } = await aFolder();
		const file = path.join(folder, "agents/scout.md");
		expect(await spawn()).toContain("You look at red things.");
		const { atime, mtime } = statSync(file);
		writeFileSync(file, textWith("You look at tan things."));
		utimesSync(file, atime, mtime);
		expect(await spawn()).toContain("You look at tan things.");
	});

	it("is not served from its last good copy when it has become invalid", async () => {
		const { folder, spawn } = await aFolder();
		await spawn();
		writeFileSync(path.join(folder, "agents/scout.md"), "broken");
		expect(await spawn()).toContain("scout");
		expect(await spawn()).not.toContain("You look at red things.");
	});

	it("is gone and back with its .agents folder, deleted, renamed and made anew", async () => {
		const { folder, repoFolder, spawn } = await aFolder();
		expect(await spawn()).toContain("You look at red things.");
		renameSync(folder, `${folder}-old`);
		expect(await spawn()).not.toContain("You look at");
		renameSync(`${folder}-old`, folder);
		expect(await spawn()).toContain("You look at red things.");
		rmSync(folder, { recursive: true });
		expect(await spawn()).not.toContain("You look at");
		withFiles(repoFolder, { ".agents/agents/scout.md": textWith("You look at new things.") });
		expect(await spawn()).toContain("You look at new things.");
	});
});
