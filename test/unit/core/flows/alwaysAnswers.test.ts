/** Answers that hold in every workspace of a user. */
import { describe, expect, it } from "vitest";
import type { Runtime } from "../../../../src/core/runtime.ts";
import { anAgentFile, aRuntime, hasEnded, untilRun } from "../../../fakes/aRuntime.ts";
import { aCall, ScriptedModel, type ScriptedReply } from "../../../fakes/scriptedModel.ts";
import { temporaryFolder } from "../../../fakes/temporaryFolder.ts";
import { untilAsked } from "../../../fakes/untilWaiting.ts";

const echo = (words: string, id: string) => ({ calls: [aCall("shell", { command: `echo ${words}` }, id)] });
const done = { text: "Done. SUMMARY: Done." };

/** A workspace of its own, of the user whose data folder it is. */
async function workspace(dataFolder: string | undefined, ...replies: readonly ScriptedReply[]) {
	const model = new ScriptedModel(...replies);
	const repoFolder = temporaryFolder({ ".agents/agents/scout.md": anAgentFile("scout") });
	const runtime = await aRuntime(model, { repoFolder, ...(dataFolder !== undefined && { dataFolder }) });
	return { runtime, model };
}

async function spawned(runtime: Runtime): Promise<string> {
	const answer = await runtime.spawn({ agent: "scout", task: "Go" });
	if (!answer.accepted) throw new Error(answer.error);
	return answer.runId;
}

const by = "tree" as const;

describe("an answer for always", () => {
	it("holds in every workspace for exactly what was asked, and is named as the reason", async () => {
		const dataFolder = temporaryFolder();
		const here = await workspace(dataFolder, echo("one", "1"), done);
		const runId = await spawned(here.runtime);
		const [question] = await untilAsked(here.runtime);
		expect(question?.offers.map(({ scope }) => scope)).toEqual(["run", "agent", "always"]);
		await here.runtime.approvals.answer(question?.id ?? "", { verdict: "allow", scope: "always", by });
		expect(await untilRun(here.runtime, runId, hasEnded)).toMatchObject({ state: "ok" });

		const there = await workspace(dataFolder, echo("one", "1"), echo("two", "2"), done);
		const otherId = await spawned(there.runtime);
		const [other] = await untilAsked(there.runtime);
		expect(other?.subject).toBe("echo two");
		await there.runtime.approvals.answer(other?.id ?? "", { verdict: "deny", by });
		expect(await untilRun(there.runtime, otherId, hasEnded)).toMatchObject({ state: "ok" });
		expect(JSON.stringify(there.model.requests[1]?.messages)).toContain("one\\n");
		expect((await there.runtime.transcripts.verify()).violations).toEqual([]);
	});

	it("is listed everywhere, and once it is revoked anywhere it is asked again", async () => {
		const dataFolder = temporaryFolder();
		const here = await workspace(dataFolder, echo("one", "1"), done, echo("one", "2"), done);
		const first = await spawned(here.runtime);
		const [question] = await untilAsked(here.runtime);
		await here.runtime.approvals.answer(question?.id ?? "", { verdict: "allow", scope: "always", by });
		await untilRun(here.runtime, first, hasEnded);

		const there = await workspace(dataFolder, done);
		const [answer, ...more] = await there.runtime.approvals.allAnswers();
		expect(answer).toMatchObject({ verdict: "allow", scope: "always", rule: "shell(echo one)", agentId: "scout" });
		expect(more).toEqual([]);
		await there.runtime.approvals.revoke(answer?.id ?? "");
		expect(await here.runtime.approvals.allAnswers()).toEqual([]);
		const again = await spawned(here.runtime);
		const [asked] = await untilAsked(here.runtime);
		expect(asked?.subject).toBe("echo one");
		await here.runtime.approvals.answer(asked?.id ?? "", { verdict: "deny", by });
		await untilRun(here.runtime, again, hasEnded);
	});

	it("is not on offer where a protected path is asked about, nor where nothing spans workspaces", async () => {
		const write = { calls: [aCall("write_file", { path: ".vscode/tasks.json", content: "{}" }, "w1")] };
		const here = await workspace(temporaryFolder(), write, done);
		await spawned(here.runtime);
		const [question] = await untilAsked(here.runtime);
		expect(question?.offers).toEqual([]);
		const answered = here.runtime.approvals.answer(question?.id ?? "", { verdict: "allow", scope: "always", by });
		await expect(answered).rejects.toThrow("only once");
		const alone = await workspace(undefined, echo("one", "1"), done);
		await spawned(alone.runtime);
		const [other] = await untilAsked(alone.runtime);
		expect(other?.offers.map(({ scope }) => scope)).toEqual(["run", "agent"]);
	});
});
