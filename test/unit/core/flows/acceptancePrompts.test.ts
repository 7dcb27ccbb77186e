/**
 * What the seeds say about prompts, tools and limits of a subagent, by ids (research/seed-systems). Those that other
 * tests hold, or that are about something else:
 *
 * | id    | where                                                                                                   |
 * | ----- | ------------------------------------------------------------------------------------------------------- |
 * | S1-09 | acceptance: P-16; spawn/corpus: P07; the order of §4: flows/realModels, "the model of a run"            |
 * | S1-10 | here; under every name: tools/toolPolicy, acceptance: P-14. Groups and wildcards of tools are openclaw's |
 * |       | alone: §8 has aliases and `tool(pattern)` instead                                                       |
 * | S1-11 | the whole text: spawn/composeBrief; that a run gets it: here. Label, channel and sessions in it are     |
 * |       | openclaw's alone: §3 has seed 001's text                                                                |
 * | S3-13 | here                                                                                                    |
 * | S3-14 | flows/silence, flows/stalls. Only what the model says is progress: a keep-alive refreshes nothing (§15, |
 * |       | Models), so there is no second ceiling                                                                  |
 * | S3-15 | here; 50 turns are the default (§0). "Tool-call markup as text is repaired once" is netclaw's alone:    |
 * |       | §8 names the guards, and this is none of them                                                           |
 * | S3-17 | the folder: here. Approvals for one run and for one call: flows/approvals. Modalities are netclaw's     |
 * |       | alone: the port of §4 has text                                                                          |
 * | S3-18 | here                                                                                                    |
 * | S3-19 | netclaw's alone: §11 has the run's changeset instead, whatever its end, and nothing of what it read     |
 * | S3-20 | here; the form: runs/finding. No least length or confidence, and no memory: §3 has claim, evidence and  |
 * |       | confidence on the record and in the announcement's data                                                 |
 */
import path from "node:path";
import { describe, expect, it } from "vitest";
import { anAgentFile, aRuntime, hasEnded, untilRun } from "../../../fakes/aRuntime.ts";
import { aSession } from "../../../fakes/aStore.ts";
import { aCall, ScriptedModel, type ScriptedReply } from "../../../fakes/scriptedModel.ts";
import { temporaryFolder } from "../../../fakes/temporaryFolder.ts";
import { TwoFacedModel } from "../../../fakes/twoFacedModel.ts";

const agentFile = ".agents/agents/scout.md";
const read = (file: string) => ({ calls: [aCall("read_file", { path: file }, file)] });

async function run(fields: string, replies: readonly ScriptedReply[], request: object = {}, more = {}) {
	const repoFolder = temporaryFolder({ [agentFile]: anAgentFile("scout", fields), "notes.txt": "seven\n", ...more });
	const model = new ScriptedModel(...replies);
	const runtime = await aRuntime(model, { repoFolder });
	const answer = await runtime.spawn({ agent: "scout", task: "Look", ...request });
	if (!answer.accepted) throw new Error(answer.error);
	return { model, repoFolder, runtime, run: await untilRun(runtime, answer.runId, hasEnded) };
}

describe("a subagent", () => {
	it("S1-10: has what its list and what is denied leave, in the schema and at dispatch, and nothing that rules over sessions", async () => {
		const fields = "tools: [read_file, Bash, sessions_list, sessions_spawn]\ndisallowedTools: [exec]\n";
		const calls = ["shell", "sessions_spawn", "list_dir"].map((name) => aCall(name, {}, name));
		const { model } = await run(fields, [{ calls }, { text: "Done." }]);
		expect(model.requests[0]?.tools.map(({ name }) => name)).toEqual(["read_file"]);
		const results = model.requests[1]?.messages.filter(({ role }) => role === "tool") ?? [];
		expect(results).toHaveLength(3);
		for (const result of results) {
			expect(result).toMatchObject({ isError: true, text: expect.stringContaining("is not allowed for this agent") });
		}
	});

	it("S1-11: reads first what it is, and last its file's own words", async () => {
		const { model } = await run("", [{ text: "Done." }], { task: "Look\n  around" });
		const { system = "" } = model.requests[0] ?? {};
		expect(system).toMatch(/^# Subagent Context\n/u);
		expect(system).toContain("- You were created to handle: Look around\n");
		expect(system.endsWith("\n\nYou look at things.\n")).toBe(true);
		expect(model.requests[0]?.messages).toEqual([{ role: "user", text: "Look\n  around" }]);
	});

	it("S3-13: is not spawned without a usable tool, and the answer says why", async () => {
		await expect(run("tools: [diagnostics]\n", [])).rejects.toThrow("The agent scout would have no tool at all");
	});

	it("S3-15: is warned near its last turn, and then has to answer without a tool, which is partial", async () => {
		const replies = [
			...Array.from({ length: 5 }, (_, index) => read(`${index}.txt`)),
			{ text: "So far. SUMMARY: Some." },
		];
		const { model, run: ended } = await run("maxTurns: 5\n", replies);
		expect(ended).toMatchObject({ state: "partial", summary: "Some." });
		expect(model.requests.map(({ toolChoice }) => toolChoice)).toEqual([...Array<string>(5).fill("auto"), "none"]);
		expect(model.requests[3]?.messages.at(-1)).toMatchObject({ text: expect.stringContaining("two turns left") });
		expect(model.requests[5]?.messages.at(-1)).toMatchObject({ text: expect.stringContaining("all of your 5 turns") });
	});

	it("S3-15: is asked once more after an empty answer, and is told when it goes in circles", async () => {
		const empty = await run("", [{ text: " " }, { text: "" }]);
		expect(empty.run).toMatchObject({ state: "error", error: "The model ended without an answer." });
		expect(empty.model.requests).toHaveLength(2);
		const circling = await run("", [...Array.from({ length: 6 }, () => read("notes.txt")), { text: "Never asked." }]);
		expect(circling.run.state).toBe("partial");
		expect(circling.model.requests).toHaveLength(6);
		expect(circling.model.requests[3]?.messages.at(-1)).toMatchObject({
			text: expect.stringContaining("Do something else"),
		});
	});

	it("S3-17: works in the folder it was sent to, by that folder's rules", async () => {
		const more = { "AGENTS.md": "Rules of all.", "sub/AGENTS.md": "Rules of sub.", "sub/notes.txt": "eight\n" };
		const { model, repoFolder } = await run("", [read("notes.txt"), { text: "Eight." }], { repoDir: "sub" }, more);
		expect(model.requests[0]?.system).toContain(`- Workspace folder: ${path.join(repoFolder, "sub")}`);
		expect(model.requests[0]?.system).toContain("Rules of sub.");
		expect(model.requests[0]?.system).not.toContain("Rules of all.");
		expect(model.requests[1]?.messages.at(-1)).toMatchObject({ text: expect.stringContaining("eight") });
	});

	const findings = [{ claim: "It says seven.", evidence: "notes.txt:1", confidence: 0.9 }];
	const found = (text: string) => `All is read.\n\n\`\`\`findings\n${text}\n\`\`\`\n\nSUMMARY: Seven.`;
	const asked = "emitStructuredFindings: true\n";

	it("S3-20: is asked for its findings, which are on its record and in the announcement's data", async () => {
		const { model, run: ended, runtime } = await run(asked, [{ text: found(JSON.stringify(findings)) }]);
		expect(ended).toMatchObject({ state: "ok", summary: "Seven.", findings });
		expect(model.requests[0]?.system).toContain('```findings\n[{ "claim":');
		const told = async () =>
			(await runtime.transcripts.readEvents(ended.id)).filter(({ type }) => type === "subagent.announced");
		await expect.poll(told).toMatchObject([{ delivery: "delivered", findings }]);
	});

	const good = { text: found(JSON.stringify(findings)) };
	it.each([
		["are missing", "ok", asked, [{ text: "Seven." }], "are missing"],
		["are broken", "ok", asked, [{ text: found('[{"claim":"x"}]') }], "cannot be used"],
		["are not asked for", "ok", "", [good], ""],
		["are of an early end", "partial", `${asked}maxTurns: 1\n`, [read("notes.txt"), good], ""],
		["are of a failure", "error", asked, [{ ...good, error: "No." }], ""],
	])("S3-20: has none on its record where they %s, and is %s as ever", async (_, state, fields, replies, problem) => {
		const { runtime, run: ended } = await run(fields, replies);
		expect([ended.state, ended.findings]).toEqual([state, undefined]);
		const said = (await runtime.transcripts.read(ended, 0, 100)).map(({ text }) => text);
		const notices = said.filter((text) => text.startsWith("Its findings"));
		expect(notices).toHaveLength(problem === "" ? 0 : 1);
		expect(notices.join("")).toContain(problem);
	});

	it("S3-18: pays for itself; its tokens are not its parent's", async () => {
		const spawn = aCall("sessions_spawn", { agent: "scout", task: "Look" }, "c1");
		const model = new TwoFacedModel(
			[{ calls: [spawn, aCall("sessions_yield", { seconds: 20 }, "c2")] }, { text: "Thank you." }, { text: "Well." }],
			[read("notes.txt"), { text: "Seven. SUMMARY: Seven." }],
		);
		const runtime = await aRuntime(model);
		const chat = { ...aSession("agent:main:chat-1", "main"), agentId: "main" };
		const turn = await runtime.control.startTurn(chat, "Please look");
		const parent = await untilRun(runtime, turn.id, hasEnded);
		const child = runtime.runs.list().find(({ kind }) => kind === "subagent");
		expect(child?.usage.inputTokens).toBe(100 * model.childRequests.length);
		expect(parent.usage.inputTokens).toBe(100 * model.mainRequests.length);
		expect(model.mainRequests[0]?.system).toContain("[available-subagents]");
	});
});
