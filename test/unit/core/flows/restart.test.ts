import { fork } from "node:child_process";
import { once } from "node:events";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { ScriptedModel } from "../../../fakes/scriptedModel.ts";
import { anAgentFile, aRuntime, hasEnded, untilRun } from "../../../fakes/aRuntime.ts";
import { temporaryFolder } from "../../../fakes/temporaryFolder.ts";

const files = { ".agents/agents/scout.md": anAgentFile("scout") };

describe("after a restart", () => {
	it("has the finished runs and their transcripts back, and announces nothing twice", async () => {
		const repoFolder = temporaryFolder(files);
		const storeFolder = path.join(temporaryFolder(), "store");
		const before = await aRuntime(new ScriptedModel({ text: "Found it. SUMMARY: Found." }), {
			repoFolder,
			storeFolder,
		});
		const answer = await before.spawn({ agent: "scout", task: "Look" });
		if (!answer.accepted) throw new Error(answer.error);
		const run = await untilRun(before, answer.runId, hasEnded);
		await expect.poll(async () => (await before.transcripts.readSession("agent:main:user", 0, 10)).length).toBe(1);
		await before.close();

		const after = await aRuntime(new ScriptedModel(), { repoFolder, storeFolder });
		expect(after.runs.list()).toEqual([{ ...run, revision: expect.any(Number) }]);
		expect((await after.transcripts.read(run, 0, 100)).map(({ kind }) => kind)).toEqual(["user", "text"]);
		expect(await after.transcripts.readSession("agent:main:user", 0, 10)).toHaveLength(1);
	});

	it("ends what a killed process was executing as lost, once, parks what it had queued, and resumes it on demand", async () => {
		const repoFolder = temporaryFolder(files);
		const storeFolder = path.join(temporaryFolder(), "store");
		const victim = fork(new URL("../../../fakes/hangingHost.ts", import.meta.url), [storeFolder, repoFolder]);
		const [ids] = (await once(victim, "message")) as [{ running: string; queued: string }];
		victim.kill("SIGKILL");
		await once(victim, "exit");

		const runtime = await aRuntime(new ScriptedModel({ text: "Done. SUMMARY: Done." }), { repoFolder, storeFolder });
		expect(runtime.runs.get(ids.running)).toMatchObject({ state: "lost" });
		expect(runtime.runs.get(ids.queued)).toMatchObject({ state: "queued", hold: "parked" });
		const inbox = await runtime.transcripts.readSession("agent:main:user", 0, 10);
		expect(inbox.map(({ text }) => text.split("\n", 1)[0])).toEqual(['[Subagent] "Look" was lost']);

		expect(await runtime.resumeParked()).toBe(1);
		expect(await untilRun(runtime, ids.queued, hasEnded)).toMatchObject({ state: "ok", summary: "Done." });
	});

	it("leaves the runs of a process that lives alone, and takes them over when it dies", async () => {
		const repoFolder = temporaryFolder(files);
		const storeFolder = path.join(temporaryFolder(), "store");
		const other = fork(new URL("../../../fakes/hangingHost.ts", import.meta.url), [storeFolder, repoFolder]);
		const [ids] = (await once(other, "message")) as [{ running: string; queued: string }];
		const runtime = await aRuntime(new ScriptedModel(), { repoFolder, storeFolder });
		expect(runtime.runs.get(ids.running)).toMatchObject({ state: "running" });
		other.kill("SIGKILL");
		expect(await untilRun(runtime, ids.running, hasEnded)).toMatchObject({ state: "lost" });
	});

	it("shows a store that a newer Muster has written, and writes nothing into it", async () => {
		const { DatabaseSync } = await import("node:sqlite");
		const storeFolder = path.join(temporaryFolder(), "store");
		const before = await aRuntime(new ScriptedModel({ text: "Done." }), { storeFolder });
		const answer = await before.spawn({ agent: "scout", task: "Look" });
		if (!answer.accepted) throw new Error(answer.error);
		await untilRun(before, answer.runId, hasEnded);
		await before.close();
		const database = new DatabaseSync(path.join(storeFolder, "muster.db"));
		database.exec("PRAGMA user_version = 999");
		database.close();

		const after = await aRuntime(new ScriptedModel(), { storeFolder });
		expect(after.readOnly).toEqual({ kind: "newer" });
		expect(after.runs.list()).toHaveLength(1);
		const refusal = await after.spawn({ agent: "scout", task: "Look" });
		expect(refusal).toMatchObject({ status: "error", error: expect.stringContaining("newer version of Muster") });
	});
});
