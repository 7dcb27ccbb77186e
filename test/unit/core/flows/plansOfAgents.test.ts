import { existsSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import type { Runtime } from "../../../../src/core/runtime.ts";
import type { ModelRequest } from "../../../../src/core/models/modelPort.ts";
import { anAgentFile, aRuntime, hasEnded, untilRun } from "../../../fakes/aRuntime.ts";
import { aSession } from "../../../fakes/aStore.ts";
import { aCall, type ScriptedReply } from "../../../fakes/scriptedModel.ts";
import { temporaryFolder } from "../../../fakes/temporaryFolder.ts";
import { TwoFacedModel } from "../../../fakes/twoFacedModel.ts";
import { untilAsked, untilPlan } from "../../../fakes/untilWaiting.ts";

const chat = { ...aSession("agent:main:chat-1", "main"), agentId: "main" };
const planText =
	"# Plan\n\nWrite eight.\n\nSUMMARY: One file.\n\n## Files\n\n- `new.txt`\n\n## Commands\n\n- `touch made.txt`\n";
const spawnPlan = { calls: [aCall("sessions_spawn", { agent: "scout", task: "Add eight", planMode: true }, "c1")] };
/** The one child, by the beginning of its id. */
const say = (message: string) => ({ calls: [aCall("sessions_send", { sessionKey: "run_", message }, "c2")] });

async function aMain(replies: { main: ScriptedReply[]; child: ScriptedReply[] }, approver: "user" | "agent") {
	const folder = temporaryFolder({ ".agents/agents/scout.md": anAgentFile("scout"), "notes.txt": "seven\n" });
	const model = new TwoFacedModel(
		[spawnPlan, { text: "Sent." }, ...replies.main],
		[{ text: planText }, ...replies.child],
	);
	const runtime = await aRuntime(model, { repoFolder: folder, planApprover: () => approver });
	await runtime.control.startTurn(chat, "Plan it");
	return { runtime, model, folder };
}

const carrier = (runtime: Runtime) => runtime.runs.list().find(({ cause }) => cause === "plan");
const textsOf = (request: ModelRequest | undefined) =>
	request?.messages.map((message) => ("text" in message ? message.text : "")) ?? [];

async function untilDecided(runtime: Runtime) {
	await expect.poll(() => carrier(runtime)?.id, { timeout: 10_000 }).toBeDefined();
	return carrier(runtime)?.id ?? "";
}

describe("a plan that an agent has asked for", () => {
	it("is approved by its word where the user lets agents do that; its commands are asked all the same", async () => {
		const calls = [
			aCall("write_file", { path: "new.txt", content: "eight\n" }, "w1"),
			aCall("shell", { command: "touch made.txt" }, "s1"),
		];
		const { runtime, model, folder } = await aMain(
			{
				main: [say("APPROVED: proceed"), { text: "Good." }, { text: "All done." }],
				child: [{ calls }, { text: "Done." }],
			},
			"agent",
		);
		const runId = await untilDecided(runtime);
		const [approval] = await untilAsked(runtime);
		expect(approval).toMatchObject({ effect: "run", subject: "touch made.txt" });
		expect(existsSync(path.join(folder, "new.txt"))).toBe(true);
		expect(existsSync(path.join(folder, "made.txt"))).toBe(false);
		await runtime.approvals.answer(approval?.id ?? "", { verdict: "deny", by: "tree" });
		expect(await untilRun(runtime, runId, hasEnded)).toMatchObject({ state: "ok", announceForm: "compact" });
		const woken = textsOf(model.mainRequests[2]);
		expect(woken.join("\n")).toContain('message="APPROVED: proceed"');
		expect(woken.at(-1)).toContain("[PLAN:AWAITING APPROVAL]");
		const said = () => model.mainRequests.flatMap(textsOf).join("\n");
		await expect.poll(said, { timeout: 10_000 }).toContain("[PLAN:APPROVED]");
		expect((await runtime.transcripts.verify()).violations).toEqual([]);
	});

	it("is sent back by its word, and made again", async () => {
		const { runtime, model } = await aMain(
			{ main: [say("REJECTED: write nine"), { text: "Waiting." }, { text: "Good." }], child: [{ text: planText }] },
			"agent",
		);
		const runId = await untilDecided(runtime);
		expect(await untilRun(runtime, runId, hasEnded)).toMatchObject({ state: "ok", request: { planMode: true } });
		expect(textsOf(model.childRequests[1]).at(-1)).toContain("write nine");
		expect(await untilPlan(runtime)).toMatchObject({ runId, state: "awaiting" });
	});

	it("waits for the user where only they decide, whatever the agent says", async () => {
		const { runtime, model } = await aMain(
			{ main: [say("APPROVED: proceed"), { text: "Then I wait." }], child: [] },
			"user",
		);
		const plan = await untilPlan(runtime);
		await expect.poll(() => model.mainRequests.length, { timeout: 10_000 }).toBe(4);
		expect(JSON.stringify(model.mainRequests[3]?.messages)).toContain("Only the user can approve or reject this plan");
		expect(textsOf(model.mainRequests[2]).join("\n")).not.toContain("To approve:");
		expect(runtime.plans.awaiting).toMatchObject([{ id: plan.id }]);
		expect(carrier(runtime)).toBeUndefined();
	});
});

describe("a run in plan mode", () => {
	it("is refused what changes, runs or spawns, and its transcript says so", async () => {
		const calls = [
			aCall("write_file", { path: "new.txt", content: "x" }, "w1"),
			aCall("shell", { command: "touch made.txt" }, "s1"),
			aCall("sessions_spawn", { agent: "scout", task: "Write it for me" }, "c1"),
		];
		const folder = temporaryFolder({ ".agents/agents/scout.md": anAgentFile("scout") });
		const model = new TwoFacedModel([], [{ text: "I try.", calls }, { text: planText }]);
		const runtime = await aRuntime(model, { repoFolder: folder });
		const answer = await runtime.spawn({ agent: "scout", task: "Add eight", planMode: true });
		if (!answer.accepted) throw new Error(answer.error);
		await untilRun(runtime, answer.runId, hasEnded);
		const { sessionKey } = runtime.runs.get(answer.runId) ?? { sessionKey: "" };
		const results = (await runtime.transcripts.readSession(sessionKey, 0, 100)).filter(
			({ kind }) => kind === "tool_result",
		);
		expect(results.map(({ toolName, isError }) => `${toolName} ${isError}`).toSorted()).toEqual([
			"sessions_spawn true",
			"shell true",
			"write_file true",
		]);
		for (const { text } of results) expect(text).toMatch(/planning|plan mode|not allowed/u);
		expect(existsSync(path.join(folder, "new.txt"))).toBe(false);
		expect(runtime.runs.list()).toHaveLength(1);
	});
});
