import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import type { Runtime } from "../../../../src/core/runtime.ts";
import type { Approval } from "../../../../src/core/runs/approval.ts";
import type { RuntimeOptions } from "../../../../src/core/runtimeOptions.ts";
import { anAgentFile, aRuntime, hasEnded, untilRun } from "../../../fakes/aRuntime.ts";
import { aCall, ScriptedModel, type ScriptedReply } from "../../../fakes/scriptedModel.ts";
import { untilAsked } from "../../../fakes/untilWaiting.ts";
import { ManualClock } from "../../../fakes/manualClock.ts";
import { TaskModel } from "../../../fakes/taskModel.ts";
import { temporaryFolder } from "../../../fakes/temporaryFolder.ts";

interface Started {
	readonly runtime: Runtime;
	readonly model: ScriptedModel;
	readonly folder: string;
	readonly runId: string;
}

async function start(
	replies: readonly ScriptedReply[],
	options: Partial<RuntimeOptions> & { readonly agent?: string; readonly config?: string } = {},
): Promise<Started> {
	const { agent = "", config, ...rest } = options;
	const folder = temporaryFolder({
		".agents/agents/scout.md": anAgentFile("scout", agent),
		"notes.txt": "seven\n",
		"package.json": "{}\n",
		".env": "TOKEN=seven\n",
	});
	const model = new ScriptedModel(...replies);
	const homeFolder = temporaryFolder(config === undefined ? {} : { ".agents/config.toml": config });
	const runtime = await aRuntime(model, { repoFolder: folder, homeFolder, ...rest });
	const answer = await runtime.spawn({ agent: "scout", task: "Work" });
	if (!answer.accepted) throw new Error(answer.error);
	return { runtime, model, folder, runId: answer.runId };
}

const first = async (runtime: Runtime) => (await untilAsked(runtime))[0] as Approval;
const resultsOf = (model: ScriptedModel, request: number) =>
	model.requests[request]?.messages.flatMap((message) => (message.role === "tool" ? [message.text] : [])) ?? [];
const write = (content: string, file = "new.txt", id = "w1") => aCall("write_file", { path: file, content }, id);
const by = "tree" as const;

async function ended({ runtime, runId }: Started) {
	const run = await untilRun(runtime, runId, hasEnded);
	expect((await runtime.transcripts.verify()).violations).toEqual([]);
	return run;
}

describe("what a subagent wants to change", () => {
	it("is asked with its exact bytes, waits without holding a slot, and is done once allowed", async () => {
		const started = await start([{ calls: [write("eight\n")] }, { text: "Written." }]);
		const { runtime, folder, runId } = started;
		const approval = await first(runtime);
		expect(approval).toMatchObject({ tool: "write_file", agentPath: "scout", subject: path.join(folder, "new.txt") });
		expect(JSON.parse(approval.input)).toEqual({ path: "new.txt", content: "eight\n" });
		await untilRun(runtime, runId, ({ state }) => state === "waiting_approval");
		expect(existsSync(path.join(folder, "new.txt"))).toBe(false);
		await runtime.approvals.answer(approval.id, { verdict: "allow", by });
		expect(await ended(started)).toMatchObject({ state: "ok" });
		expect(readFileSync(path.join(folder, "new.txt"), "utf8")).toBe("eight\n");
		const entries = await runtime.transcripts.readSession(runtime.runs.get(runId)?.sessionKey ?? "", 0, 100);
		const notices = entries.filter(({ kind }) => kind === "notice").map(({ text }) => text);
		expect(notices).toEqual([
			`Allowed once, in the Approvals view: write_file ${path.join(folder, "new.txt")}`,
			"write_file may: allowed once, in the Approvals view.",
		]);
	});

	it("is not done when a person denies it, and the model reads their words", async () => {
		const started = await start([{ calls: [write("eight\n")] }, { text: "Then not." }]);
		const { runtime, model, folder } = started;
		const { id } = await first(runtime);
		await runtime.approvals.answer(id, { verdict: "deny", reason: "Use notes.txt instead", by });
		await ended(started);
		expect(resultsOf(model, 1)[0]).toContain("They said: Use notes.txt instead");
		expect(existsSync(path.join(folder, "new.txt"))).toBe(false);
	});

	it("is answered once: the first answer holds, and a late one hears who was first", async () => {
		const started = await start([{ calls: [write("eight\n")] }, { text: "Done." }]);
		const { runtime } = started;
		const { id } = await first(runtime);
		await runtime.approvals.answer(id, { verdict: "deny", by });
		const late = runtime.approvals.answer(id, { verdict: "allow", by: "notification" });
		await expect(late).rejects.toThrow("answered before: Denied once, in the Approvals view");
		await ended(started);
	});

	it("is withdrawn when the run is stopped, and nothing happens after", async () => {
		const started = await start([{ calls: [write("eight\n")] }]);
		const { runtime, folder, runId } = started;
		const { id } = await first(runtime);
		await runtime.stop(runId);
		expect(await ended(started)).toMatchObject({ state: "canceled" });
		await untilAsked(runtime, 0);
		await expect(runtime.approvals.answer(id, { verdict: "allow", by })).rejects.toThrow("Withdrawn");
		expect(existsSync(path.join(folder, "new.txt"))).toBe(false);
	});

	it("is refused unasked where the agent is set to ask nobody", async () => {
		const started = await start([{ calls: [write("eight\n")] }, { text: "No." }], { agent: "onAsk: deny\n" });
		await ended(started);
		expect(resultsOf(started.model, 1)[0]).toContain("set to ask nobody");
	});
});

describe("an answer for the whole run", () => {
	it("lets the same file be written again unasked, and no other", async () => {
		const started = await start([
			{ calls: [write("one\n")] },
			{ calls: [aCall("edit_file", { path: "new.txt", old_string: "one", new_string: "two" }, "e1")] },
			{ calls: [write("x\n", "other.txt", "w2")] },
			{ text: "Done." },
		]);
		const { runtime, folder } = started;
		await runtime.approvals.answer((await first(runtime)).id, { verdict: "allow", scope: "run", by });
		await expect.poll(() => runtime.approvals.waiting[0]?.subject).toBe(path.join(folder, "other.txt"));
		expect(readFileSync(path.join(folder, "new.txt"), "utf8")).toBe("two\n");
		expect(await runtime.approvals.allAnswers()).toMatchObject([{ verdict: "allow", scope: "run" }]);
		await runtime.approvals.answer((await first(runtime)).id, { verdict: "deny", by });
		await ended(started);
		expect(await runtime.approvals.allAnswers()).toEqual([]);
	});

	it("for its agent holds for every run of it, until its file says something else, or the answer is revoked", async () => {
		const second = write("nine\n");
		const started = await start([
			{ calls: [write("eight\n")] },
			{ text: "Done." },
			{ calls: [second] },
			{ text: "Done." },
			{ calls: [second] },
			{ text: "Done." },
			{ calls: [write("ten\n")] },
			{ text: "Done." },
		]);
		const { runtime, folder } = started;
		const again = async (): Promise<Started> => {
			const answer = await runtime.spawn({ agent: "scout", task: "Again" });
			if (!answer.accepted) throw new Error(answer.error);
			return { ...started, runId: answer.runId };
		};
		await runtime.approvals.answer((await first(runtime)).id, { verdict: "allow", scope: "agent", by });
		await ended(started);
		expect(await ended(await again())).toMatchObject({ state: "ok" });

		writeFileSync(path.join(folder, ".agents/agents/scout.md"), `${anAgentFile("scout")}Now do more.\n`);
		const other = await again();
		await runtime.approvals.answer((await first(runtime)).id, { verdict: "allow", scope: "agent", by });
		await ended(other);

		for (const { id } of await runtime.approvals.allAnswers()) await runtime.approvals.revoke(id);
		const last = await again();
		await runtime.approvals.answer((await first(runtime)).id, { verdict: "deny", by });
		await ended(last);
		expect(readFileSync(path.join(folder, "new.txt"), "utf8")).toBe("nine\n");
	});

	it("is not on offer for a protected path", async () => {
		const started = await start([{ calls: [write("{}", "package.json")] }, { text: "Done." }]);
		const { runtime } = started;
		const approval = await first(runtime);
		expect(approval).toMatchObject({ why: "Protected path", offers: [] });
		const wide = runtime.approvals.answer(approval.id, { verdict: "allow", scope: "run", by });
		await expect(wide).rejects.toThrow("only once");
		await runtime.approvals.answer(approval.id, { verdict: "deny", by });
		await ended(started);
	});
});

describe("a command", () => {
	it("is asked word for word and runs in the workspace folder once allowed", async () => {
		const command = "cat notes.txt | tr s S";
		const started = await start([{ calls: [aCall("shell", { command })] }, { text: "Done." }]);
		const { runtime, model } = started;
		const approval = await first(runtime);
		expect(approval.subject).toBe(command);
		await runtime.approvals.answer(approval.id, { verdict: "allow", by });
		await ended(started);
		expect(resultsOf(model, 1)[0]).toContain("Seven");
	});

	it("passes by a rule of the user, and the transcript names the rule", async () => {
		const config = '[permissions]\nallow = ["shell(cat *)"]\ndeny = ["shell(cat secret.txt)"]\n';
		const calls = [
			aCall("shell", { command: "cat notes.txt" }, "s1"),
			aCall("shell", { command: "cat secret.txt" }, "s2"),
		];
		const started = await start([{ calls }, { text: "Done." }], { config });
		await ended(started);
		const [allowed, denied] = resultsOf(started.model, 1);
		expect(allowed).toContain("seven");
		expect(denied).toContain("is denied by rule shell(cat secret.txt)");
		const entries = await started.runtime.transcripts.readSession(
			started.runtime.runs.get(started.runId)?.sessionKey ?? "",
			0,
			100,
		);
		expect(entries.filter(({ kind }) => kind === "notice").map(({ text }) => text)).toEqual([
			expect.stringMatching(/^shell may: rule shell\(cat \*\) from .*config\.toml:2\.$/u),
		]);
	});
});

describe("reading", () => {
	it("of a secret file asks, and a search leaves it out", async () => {
		const calls = [aCall("grep", { pattern: "seven" }, "g1"), aCall("read_file", { path: ".env" }, "r1")];
		const started = await start([{ calls }, { text: "Done." }]);
		const { runtime, model, folder } = started;
		const approval = await first(runtime);
		expect(approval).toMatchObject({ tool: "read_file", subject: path.join(folder, ".env"), why: "Secret file" });
		await runtime.approvals.answer(approval.id, { verdict: "deny", by });
		await ended(started);
		const [hits, read] = resultsOf(model, 1);
		expect(hits).toContain("notes.txt:1:seven");
		expect(hits).not.toContain(".env");
		expect(read).toContain("did not allow this");
	});
});

describe("waiting for a person", () => {
	it("gives the slot to others, and takes it again before the call goes on", async () => {
		const started = await start([{ calls: [write("eight\n")] }, { text: "Other." }, { text: "Done." }], {
			laneLimit: () => 1,
		});
		const { runtime } = started;
		const { id } = await first(runtime);
		const other = await runtime.spawn({ agent: "scout", task: "Look" });
		if (!other.accepted) throw new Error(other.error);
		expect(await untilRun(runtime, other.runId, hasEnded)).toMatchObject({ state: "ok" });
		await runtime.approvals.answer(id, { verdict: "allow", by });
		expect(await ended(started)).toMatchObject({ state: "ok" });
	});

	it("takes nothing of the run's time", async () => {
		const runtime = await aRuntime(new TaskModel());
		const spawned = async (task: string) => {
			const answer = await runtime.spawn({ agent: "scout", task, runTimeoutSeconds: 1 });
			return answer.accepted ? answer.runId : "";
		};
		const asking = await spawned("Write");
		const question = await first(runtime);
		const working = await spawned("Hang");
		// Its second passes meanwhile.
		expect(await untilRun(runtime, working, hasEnded)).toMatchObject({ state: "timeout" });
		await runtime.approvals.answer(question.id, { verdict: "allow", by });
		expect(await untilRun(runtime, asking, hasEnded)).toMatchObject({ state: "ok" });
	});

	it("counts as denied after the time that the user has set, and is said so", async () => {
		const clock = new ManualClock();
		const started = await start([{ calls: [write("eight\n")] }, { text: "Then not." }], {
			clock,
			expireAfterMinutes: () => 10,
		});
		await first(started.runtime);
		clock.advance(9 * 60_000);
		expect(started.runtime.approvals.waiting).toHaveLength(1);
		clock.advance(60_000);
		expect(await ended(started)).toMatchObject({ state: "ok" });
		expect(resultsOf(started.model, 1)[0]).toContain("because nobody answered in time");
		expect(existsSync(path.join(started.folder, "new.txt"))).toBe(false);
		const { sessionKey } = started.runtime.runs.get(started.runId) ?? { sessionKey: "" };
		const said = (await started.runtime.transcripts.readSession(sessionKey, 0, 100)).map(({ text }) => text);
		expect(said.some((text) => text.startsWith("Denied once, because nobody answered in time"))).toBe(true);
	});

	it("for two things is over when both are answered, each with its own answer", async () => {
		const calls = [aCall("read_file", { path: ".env" }, "r1"), aCall("read_file", { path: ".env" }, "r2")];
		const started = await start([{ calls }, { text: "Done." }]);
		const { runtime, runId, model } = started;
		const both = await untilAsked(runtime, 2);
		const one = both.find(({ callId }) => callId === "r1");
		const two = both.find(({ callId }) => callId === "r2");
		await untilRun(runtime, runId, ({ state }) => state === "waiting_approval");
		await runtime.approvals.answer(one?.id ?? "", { verdict: "allow", by });
		await untilAsked(runtime, 1);
		await runtime.approvals.answer(two?.id ?? "", { verdict: "deny", by });
		await ended(started);
		const [allowed, denied] = resultsOf(model, 1);
		expect(allowed).toContain("TOKEN=seven");
		expect(denied).toContain("did not allow");
	});

	it("is answered from another process on the same store", async () => {
		const storeFolder = path.join(temporaryFolder(), "store");
		const started = await start([{ calls: [write("eight\n")] }, { text: "Done." }], { storeFolder });
		const { id } = await first(started.runtime);
		const other = await aRuntime(new ScriptedModel(), { storeFolder, repoFolder: started.folder });
		await other.approvals.answer(id.slice(0, 30), { verdict: "allow", by: "cli" });
		expect(await ended(started)).toMatchObject({ state: "ok" });
		expect(existsSync(path.join(started.folder, "new.txt"))).toBe(true);
	});
});

describe("a file that changed while a person was asked", () => {
	it("is not written where a link now leads elsewhere", async () => {
		const started = await start([{ calls: [write("x\n", "sub/new.txt")] }, { text: "Done." }]);
		const { runtime, folder, model } = started;
		const { id } = await first(runtime);
		const outside = temporaryFolder();
		const { symlinkSync } = await import("node:fs");
		symlinkSync(outside, path.join(folder, "sub"));
		await runtime.approvals.answer(id, { verdict: "allow", by });
		await ended(started);
		expect(resultsOf(model, 1)[0]).toContain("changed while a person was asked");
		expect(existsSync(path.join(outside, "new.txt"))).toBe(false);
	});

	it("keeps what somebody else has written since the model read it", async () => {
		const edit = aCall("edit_file", { path: "notes.txt", old_string: "seven", new_string: "eight" }, "e1");
		const started = await start([
			{ calls: [aCall("read_file", { path: "notes.txt" })] },
			{ calls: [edit] },
			{ text: "Done." },
		]);
		const { runtime, folder, model } = started;
		const { id } = await first(runtime);
		writeFileSync(path.join(folder, "notes.txt"), "seven, says somebody else\n");
		await runtime.approvals.answer(id, { verdict: "allow", by });
		await ended(started);
		expect(resultsOf(model, 2).at(-1)).toContain("changed by somebody else");
		expect(readFileSync(path.join(folder, "notes.txt"), "utf8")).toBe("seven, says somebody else\n");
	});
});

describe("Muster's own records", () => {
	it("are opened by no tool, whatever anybody answers, under no other name", async () => {
		const data = temporaryFolder();
		const storeFolder = path.join(data, "store");
		mkdirSync(storeFolder, { recursive: true });
		const folder = temporaryFolder({ ".agents/agents/scout.md": anAgentFile("scout") });
		const otherStore = path.join(data, "workspaces", "other-1");
		mkdirSync(otherStore, { recursive: true });
		const calls = [
			aCall("read_file", { path: "linked.db" }, "r1"),
			aCall("read_file", { path: path.join(storeFolder, "muster.db") }, "r2"),
			aCall("read_file", { path: "others.db" }, "r3"),
			aCall("read_file", { path: "user.db" }, "r4"),
		];
		const model = new ScriptedModel({ calls }, { text: "Done." });
		const runtime = await aRuntime(model, { repoFolder: folder, storeFolder, dataFolder: data });
		const { linkSync } = await import("node:fs");
		linkSync(path.join(storeFolder, "muster.db"), path.join(folder, "linked.db"));
		for (const [from, to] of [
			[path.join(otherStore, "muster.db"), "others.db"],
			[path.join(data, "user.db"), "user.db"],
		] as const) {
			writeFileSync(from, "");
			linkSync(from, path.join(folder, to));
		}
		const answer = await runtime.spawn({ agent: "scout", task: "Look" });
		if (!answer.accepted) throw new Error(answer.error);
		await untilRun(runtime, answer.runId, hasEnded);
		const [linked, named, others, users] = resultsOf(model, 1);
		for (const result of [linked, others, users]) expect(result).toContain("one of Muster's own records");
		expect(named).toContain("never allowed");
	});
});
