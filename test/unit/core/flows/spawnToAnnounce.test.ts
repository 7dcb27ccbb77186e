import path from "node:path";
import { describe, expect, it } from "vitest";
import { aCall, ScriptedModel } from "../../../fakes/scriptedModel.ts";
import { anAgentFile, aRuntime, hasEnded, untilRun } from "../../../fakes/aRuntime.ts";
import { temporaryFolder } from "../../../fakes/temporaryFolder.ts";
import type { Announced } from "../../../../src/core/engine/announcer.ts";

describe("from spawn to announce", () => {
	it("answers at once, runs the tools, and announces the summary to the user's session", async () => {
		const model = new ScriptedModel(
			{ text: "I look. ", calls: [aCall("read_file", { path: "notes.txt" })] },
			{ text: "It says seven.\n\nSUMMARY: The note says seven." },
		);
		const runtime = await aRuntime(model);
		const announced = new Promise<Announced>((resolve) => runtime.onDidAnnounce(resolve));
		const answer = await runtime.spawn({ agent: "scout", task: "What does the note say?", label: "note" });
		expect(answer).toMatchObject({
			status: "accepted",
			accepted: true,
			lane: "subagent",
			queuePosition: 1,
			modelApplied: true,
		});
		if (!answer.accepted) return;
		expect(answer.childSessionKey).toMatch(/^agent:scout:subagent:[0-9a-f-]{36}$/u);

		const run = await untilRun(runtime, answer.runId, hasEnded);
		expect(run).toMatchObject({ state: "ok", summary: "The note says seven.", error: null });
		expect(run.usage).toEqual({
			inputTokens: 200,
			outputTokens: 20,
			cacheReadTokens: 80,
			reasoningTokens: 4,
			usd: 0.02,
			estimated: false,
		});
		expect((await announced).text.split("\n").slice(0, 4)).toEqual([
			'[Subagent] "note" completed successfully',
			`session: ${run.sessionKey}`,
			"",
			"Summary: The note says seven.",
		]);
		const inbox = await runtime.transcripts.readSession("agent:main:user", 0, 10);
		expect(inbox.map(({ kind, runId }) => ({ kind, runId }))).toEqual([{ kind: "announcement", runId: run.id }]);

		const transcript = await runtime.transcripts.read(run, 0, 100);
		expect(transcript.map(({ kind }) => kind)).toEqual(["user", "text", "tool_call", "tool_result", "text"]);
		expect(transcript[3]?.text).toContain("seven");
	});

	it("puts context into the first message and the agent's body last into the system prompt", async () => {
		const model = new ScriptedModel({ text: "Done." });
		const runtime = await aRuntime(model);
		const answer = await runtime.spawn({ agent: "scout", task: "Look", context: "It is about notes." });
		if (!answer.accepted) throw new Error(answer.error);
		await untilRun(runtime, answer.runId, hasEnded);
		expect(model.requests[0]?.messages).toEqual([
			{ role: "user", text: "Context:\nIt is about notes.\n\nTask:\nLook" },
		]);
		expect(model.requests[0]?.system.endsWith("You look at things.\n")).toBe(true);
	});

	it("offers an agent only the tools that its file names", async () => {
		const folder = temporaryFolder({ ".agents/agents/reader.md": anAgentFile("reader", "tools: [read]\n") });
		const model = new ScriptedModel({ text: "Done." });
		const runtime = await aRuntime(model, { repoFolder: folder });
		const answer = await runtime.spawn({ agent: "reader", task: "Look" });
		if (!answer.accepted) throw new Error(answer.error);
		await untilRun(runtime, answer.runId, hasEnded);
		expect(model.requests[0]?.tools.map(({ name }) => name)).toEqual(["read_file"]);
	});

	it("lets a model that wants what is not there know that, and goes on", async () => {
		const model = new ScriptedModel({ calls: [aCall("diagnostics", {})] }, { text: "I could not." });
		const runtime = await aRuntime(model);
		const answer = await runtime.spawn({ agent: "scout", task: "Check" });
		if (!answer.accepted) throw new Error(answer.error);
		expect((await untilRun(runtime, answer.runId, hasEnded)).state).toBe("ok");
		const [, , result] = model.requests[1]?.messages ?? [];
		expect(result).toMatchObject({ role: "tool", isError: true, text: expect.stringContaining("not available here") });
	});

	it.each([false, true])(
		"offers the editor's language services where there is an editor, planning: %s",
		async (planMode) => {
			const folder = temporaryFolder({ ".agents/agents/scout.md": anAgentFile("scout"), "notes.ts": "seven\n" });
			const place = { path: path.join(folder, "notes.ts"), line: 1, column: 1 };
			const languages = {
				diagnostics: () => [{ ...place, severity: "error" as const, message: "no such name", source: undefined }],
				symbolsOf: async () => [{ ...place, name: "seven", kind: "constant", container: undefined }],
				findSymbols: async () => [],
			};
			const calls = [aCall("diagnostics", {}), aCall("symbols", { path: "notes.ts" })];
			const model = new ScriptedModel({ calls }, { text: "Seen." });
			const runtime = await aRuntime(model, { repoFolder: folder, languages });
			const answer = await runtime.spawn({ agent: "scout", task: "Check", planMode });
			if (!answer.accepted) throw new Error(answer.error);
			await untilRun(runtime, answer.runId, hasEnded);
			expect(model.requests[0]?.tools.map(({ name }) => name)).toEqual(
				expect.arrayContaining(["diagnostics", "symbols"]),
			);
			const results = model.requests[1]?.messages.flatMap((message) => (message.role === "tool" ? [message.text] : []));
			expect(results).toEqual(["notes.ts:1:1: error: no such name", "notes.ts:1:1: constant seven"]);
		},
	);

	it.each([
		["a blank task", { agent: "scout", task: "  " }, "say what the subagent is to do"],
		["an unknown agent", { agent: "scuot", task: "Look" }, 'There is no agent named "scuot". Available: scout.'],
		["an unknown parameter", { agent: "scout", task: "Look", colour: "red" }, "colour"],
	])("refuses %s with the reason and leaves no record", async (_, request, reason) => {
		const runtime = await aRuntime(new ScriptedModel());
		const answer = await runtime.spawn(request);
		expect(answer).toMatchObject({ status: "error", accepted: false, error: expect.stringContaining(reason) });
		expect(runtime.runs.list()).toEqual([]);
	});

	it("runs nothing in a workspace that is not trusted, and reads no agent of it", async () => {
		const model = new ScriptedModel({ text: "No." });
		const runtime = await aRuntime(model, { isTrusted: () => false });
		expect((await runtime.agents()).agents).toEqual([]);
		expect(await runtime.spawn({ agent: "scout", task: "Look" })).toMatchObject({
			status: "forbidden",
			accepted: false,
		});
		expect(model.requests).toEqual([]);
	});

	it("spawns home agents without a folder; file tools refuse and name the reason", async () => {
		const home = temporaryFolder({ ".agents/agents/scout.md": anAgentFile("scout") });
		const model = new ScriptedModel({ calls: [aCall("list_dir", {})] }, { text: "There is no folder." });
		const runtime = await aRuntime(model, { repoFolder: null, homeFolder: home });
		const answer = await runtime.spawn({ agent: "scout", task: "Look" });
		if (!answer.accepted) throw new Error(answer.error);
		expect((await untilRun(runtime, answer.runId, hasEnded)).state).toBe("ok");
		expect(model.requests[1]?.messages.at(-1)).toMatchObject({
			isError: true,
			text: expect.stringContaining("No folder is open"),
		});
	});
});
