import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import type { Runtime } from "../../../../src/core/runtime.ts";
import type { RuntimeOptions } from "../../../../src/core/runtimeOptions.ts";
import { anAgentFile, aRuntime, hasEnded, untilRun } from "../../../fakes/aRuntime.ts";
import { aCall, ScriptedModel, type ScriptedReply } from "../../../fakes/scriptedModel.ts";
import { untilAsked, untilPlan } from "../../../fakes/untilWaiting.ts";
import { temporaryFolder } from "../../../fakes/temporaryFolder.ts";

const planText = [
	"# Plan",
	"",
	"Write eight into a new file.",
	"",
	"SUMMARY: One new file.",
	"",
	"## Files",
	"",
	"- `new.txt`",
	"",
	"## Commands",
	"",
	"- `cat new.txt`",
	"",
].join("\n");
const write = (file: string, id: string) => aCall("write_file", { path: file, content: "eight\n" }, id);
const run = (command: string, id: string) => aCall("shell", { command }, id);

async function planned(replies: readonly ScriptedReply[], options: Partial<RuntimeOptions> = {}) {
	const folder = temporaryFolder({ ".agents/agents/scout.md": anAgentFile("scout"), "notes.txt": "seven\n" });
	const model = new ScriptedModel(...replies);
	const runtime = await aRuntime(model, { repoFolder: folder, ...options });
	const answer = await runtime.spawn({ agent: "scout", task: "Add eight", planMode: true, cleanup: "delete" });
	if (!answer.accepted) throw new Error(answer.error);
	const ended = await untilRun(runtime, answer.runId, hasEnded);
	return { runtime, model, folder, ended };
}

const resultsOf = (model: ScriptedModel, request: number) =>
	model.requests[request]?.messages.flatMap((message) => (message.role === "tool" ? [message.text] : [])) ?? [];
const inboxOf = async (runtime: Runtime) =>
	(await runtime.transcripts.readSession("agent:main:user", 0, 100)).map(({ text }) => text);
const sound = async (runtime: Runtime) => expect((await runtime.transcripts.verify()).violations).toEqual([]);
const by = "tree" as const;

describe("a run in plan mode", () => {
	it("is shown only tools that look, is refused any other, and ends with a plan that waits", async () => {
		const calls = [write("new.txt", "w1"), run("ls", "s1"), aCall("read_file", { path: "notes.txt" }, "r1")];
		const { runtime, model, folder, ended } = await planned([{ calls }, { text: planText }]);
		expect(model.requests[0]?.tools.map(({ name }) => name)).toEqual([
			"read_file",
			"list_dir",
			"glob",
			"grep",
			"web_fetch",
			"todo",
		]);
		const [writing, running, reading] = resultsOf(model, 1);
		expect(writing).toContain("While planning you cannot use write_file");
		expect(running).toContain("While planning you cannot use shell");
		expect(reading).toContain("seven");
		expect(existsSync(path.join(folder, "new.txt"))).toBe(false);
		expect(ended).toMatchObject({
			state: "ok",
			summary: "One new file.",
		});
		const plan = await untilPlan(runtime);
		expect(plan).toMatchObject({ state: "awaiting", revision: 1, author: "agent", title: "Add eight" });
		expect(plan.text).not.toContain("SUMMARY");
		await expect
			.poll(async () => (await inboxOf(runtime))[0])
			.toMatch(/^\[PLAN READY\] "Add eight" plan completed\nsession: .*\n\nWaiting for/u);
		await sound(runtime);
	});

	it("that fails leaves a draft which nobody can approve", async () => {
		const { runtime, ended } = await planned([{ calls: [run("ls", "s1")] }, { error: "strike" }]);
		expect(ended.state).toBe("error");
		await expect.poll(async () => (await inboxOf(runtime))[0]).toMatch(/^\[PLAN FAILED\] "Add eight" failed: strike/u);
		expect(runtime.plans.awaiting).toEqual([]);
	});
});

describe("an approved plan", () => {
	it("is carried out in its session: what it lists passes unasked, anything else asks", async () => {
		const calls = [write("new.txt", "w1"), run("cat new.txt", "s1"), write("other.txt", "w2")];
		const { runtime, model, folder, ended } = await planned([{ text: planText }, { calls }, { text: "Done." }]);
		const plan = await untilPlan(runtime);
		const decided = await runtime.plans.approve(plan.id, { by, hash: plan.hash });
		expect(decided.plan).toMatchObject({ state: "approved", carriedOutBy: decided.run.id });
		expect(decided.run).toMatchObject({ sessionId: ended.sessionId, cause: "plan", announceForm: "compact" });
		await expect.poll(() => runtime.approvals.waiting[0]?.subject).toBe(path.join(folder, "other.txt"));
		expect(readFileSync(path.join(folder, "new.txt"), "utf8")).toBe("eight\n");
		await runtime.approvals.answer(runtime.approvals.waiting[0]?.id ?? "", { verdict: "deny", by });
		expect(await untilRun(runtime, decided.run.id, hasEnded)).toMatchObject({ state: "ok" });
		expect(resultsOf(model, 2)[1]).toContain("eight");
		const work = await runtime.plans.describeWork(plan.id, (file) => path.relative(folder, file));
		expect(work).toBe(
			"# What was done: Add eight\n\n## Files\n\n- [x] `new.txt` changed\n\n## Commands\n\n- [x] `cat new.txt` run\n",
		);
		await expect.poll(async () => (await inboxOf(runtime)).length).toBe(2);
		await sound(runtime);
	});

	it("says afterwards what of it was done, and what was done besides", async () => {
		const carried = [write("new.txt", "w1"), write("new.txt", "w2"), write("other.txt", "w3"), run("touch x", "r1")];
		// The second finds the file as it is to be.
		const { runtime, folder } = await planned([
			{ text: planText },
			{ text: "I go.", calls: carried },
			{ text: "Done." },
		]);
		const { id } = await untilPlan(runtime);
		const decided = await runtime.plans.approve(id, { by });
		for (const subject of [path.join(folder, "other.txt"), "touch x"]) {
			const [approval] = await untilAsked(runtime);
			expect(approval).toMatchObject({ subject });
			await runtime.approvals.answer(approval?.id ?? "", { verdict: "allow", by });
		}
		await untilRun(runtime, decided.run.id, hasEnded);
		const text = await runtime.plans.describeWork(id, (file) => path.relative(folder, file));
		expect(text).toBe(
			[
				"# What was done: Add eight",
				"## Files",
				"- [x] `new.txt` changed",
				"## Commands",
				"- [ ] `cat new.txt` not run",
				"## Not in the plan",
				"- `other.txt` changed: allowed once, in the Approvals view\n- `touch x` run: allowed once, in the Approvals view\n",
			].join("\n\n"),
		);
	});

	it("asks for what it does not list also where edits are allowed, and heeds what the user denies", async () => {
		const homeFolder = temporaryFolder({ ".agents/config.toml": '[permissions]\ndeny = ["edit_file(new.txt)"]\n' });
		const { runtime, model } = await planned(
			[{ text: planText }, { calls: [write("new.txt", "w1"), write("other.txt", "w2")] }, { text: "Done." }],
			{ homeFolder, edits: () => "allow" },
		);
		const { id } = await untilPlan(runtime);
		const decided = await runtime.plans.approve(id, { by });
		await expect.poll(() => runtime.approvals.waiting.length).toBe(1);
		await runtime.approvals.answer(runtime.approvals.waiting[0]?.id ?? "", { verdict: "deny", by });
		await untilRun(runtime, decided.run.id, hasEnded);
		expect(resultsOf(model, 2)[0]).toContain("is denied by rule edit_file(new.txt)");
	});

	it("binds as it was edited, and only as it was shown", async () => {
		const { runtime, model } = await planned([{ text: planText }, { text: "Done." }]);
		const shown = await untilPlan(runtime);
		await runtime.plans.save(shown.id, shown.text.replace("eight", "nine"));
		await expect(runtime.plans.approve(shown.id, { by, hash: shown.hash })).rejects.toThrow(
			"changed after you had opened",
		);
		const edited = await untilPlan(runtime);
		expect(edited).toMatchObject({ revision: 2, author: "user" });
		const { run: carried } = await runtime.plans.approve(edited.id, { by, hash: edited.hash });
		await untilRun(runtime, carried.id, hasEnded);
		expect(JSON.stringify(model.requests[1]?.messages.at(-1))).toContain("Write nine into a new file");
		await expect(runtime.plans.save(shown.id, "too late")).rejects.toThrow("approved before");
		expect(await runtime.plans.revisions(shown.id)).toHaveLength(2);
	});

	it("is approved once, by whoever was first", async () => {
		const { runtime } = await planned([{ text: planText }, { text: "Done." }]);
		const { id } = await untilPlan(runtime);
		const both = await Promise.allSettled([runtime.plans.approve(id, { by }), runtime.plans.reject(id, "No", { by })]);
		expect(both.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected"]);
		await expect(runtime.plans.close(id, { by: "cli" })).rejects.toThrow("That decision holds");
		await sound(runtime);
	});
});

describe("a rejected plan", () => {
	it("goes back with the reasons, and the next one names it", async () => {
		const { runtime, model } = await planned([{ text: planText }, { text: planText.replace("eight", "nine") }]);
		const old = await untilPlan(runtime);
		const { run: again } = await runtime.plans.reject(old.id, "It must be nine", { by });
		expect(await untilRun(runtime, again.id, hasEnded)).toMatchObject({ state: "ok" });
		expect(JSON.stringify(model.requests[1]?.messages.at(-1))).toContain("It must be nine");
		const next = await untilPlan(runtime);
		expect(next.text).toContain("nine");
		expect(await runtime.plans.find(old.id)).toMatchObject({ state: "rejected", successorId: next.id });
	});

	it("can be closed instead, and nothing follows", async () => {
		const { runtime } = await planned([{ text: planText }]);
		const { id } = await untilPlan(runtime);
		expect(await runtime.plans.close(id, { by })).toMatchObject({ state: "closed" });
		expect(runtime.runs.list()).toHaveLength(1);
	});

	it("keeps remarks by line, over a restart", async () => {
		const storeFolder = path.join(temporaryFolder(), "store");
		const { runtime, folder } = await planned([{ text: planText }], { storeFolder });
		const { id } = await untilPlan(runtime);
		const remark = { planId: id, revision: 1, line: 3, quoted: "Write eight into a new file.", text: "Nine!" };
		const { id: commentId } = await runtime.plans.comment(remark);
		await runtime.plans.comment({ ...remark, id: commentId, text: "Ten!" });
		await runtime.close();
		const after = await aRuntime(new ScriptedModel(), { storeFolder, repoFolder: folder });
		expect(after.plans.awaiting).toHaveLength(1);
		expect(await after.plans.comments(id)).toMatchObject([{ line: 3, text: "Ten!" }]);
		await after.plans.removeComment(commentId);
		expect(await after.plans.comments(id)).toEqual([]);
	});
});
