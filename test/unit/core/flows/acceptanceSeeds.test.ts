/**
 * What the seeds' own documents and code say (S1, S2, S3, S4), by ids. Those that other tests hold:
 *
 * | id                 | test                                                                                          |
 * | ------------------ | --------------------------------------------------------------------------------------------- |
 * | S1-01, S1-02       | spawn/corpus, P01 to P08: a wrong type or enum is an error                                    |
 * | S1-03, S2-01       | spawn/seedRequests: "are accepted word for word, with the answers that the seeds show"        |
 * | S1-04              | spawnToAnnounce: "answers at once, runs the tools, and announces …"                           |
 * | S1-05              | configuredRuns: "gets a static agent only where its allow_agents names it …", "gets any that exist with a star …" |
 * | S1-06, S1-07       | configuredRuns: "fill in what neither the call nor the agent says"; configuredCaps, all of it; endings: "stops a queued run …" |
 * | S1-08, S2-08, S4-10| acceptance: P-09, P-10, P-13                                                                  |
 * | S1-09              | acceptance: P-16, spawn/corpus P07; configuredRuns: "runs on its setting for subagents …"     |
 * | S1-10, S2-03       | tools/toolPolicy; acceptance: P-14; mainAgent: "gives no subagent the tools that rule over sessions" |
 * | S1-11              | spawn/composeBrief: "is the seed's context …", "has the task on one line …"                   |
 * | S1-12, S2-10       | announce/announcement; mainAgent: "spawns by itself … woken with the result as quoted data"   |
 * | S1-13, S1-15, S1-16, S2-18, S4-09 | acceptance: P-01, P-07, P-08                                                   |
 * | S1-17, S4-11       | acceptanceEnds: P-26                                                                          |
 * | S1-18              | todoSteps, all of it                                                                          |
 * | S1-19              | configuredRuns: "is what a person gets who names none, when it is the default"; its channels come later |
 * | S2-02              | configuredRuns: "gives no more tools than it has …", "is refused changes and commands …"; spawn/corpus P03 |
 * | S2-04              | mainAgent: "gives no subagent the tools that rule over sessions"; spawn/corpus P09            |
 * | S2-06              | endings: "stops a queued run without ever starting it …"                                      |
 * | S2-07              | lanes, all of it                                                                              |
 * | S2-09              | deliver, all of it                                                                            |
 * | S2-12              | acceptanceEnds: P-22, P-28; mainAgent: "can wait for a result, and is then not told of it a second time", "stops its children with itself" |
 * | S2-13, S2-20       | acceptanceEnds: P-22, P-30                                                                    |
 * | S2-14              | sessionAnswers: "sessions_list: …"; here: S4-05, S4-06                                        |
 * | S2-15, S4-20       | mainAgent: "sends to a subagent that has ended, which answers in the same session …"          |
 * | S2-16, S2-17       | acceptance: P-04; shell/deliveries, all of it (delivery is a row of the same database, so there is nothing to retry by time) |
 * | S2-19              | progressEvents; store/constraints: "keeps every event with the run, in order"                 |
 * | S3-10              | spawnToAnnounce: "puts context into the first message …"; without one: here                   |
 * | S3-12              | endings: "fails with the model's own words, and tells the user"                               |
 * | S3-16              | acceptanceEnds: P-24                                                                          |
 * | S3-22              | mainAgent: "gets the same run again for the same call …"; restart; acceptance: P-01, P-07     |
 * | S4-01              | spawn/seedRequests; spawn/corpus: P06 (timeouts), P07, P08 (kept, planMode), P09 (subagents)    |
 * | S4-02, S4-03, S4-04| acceptanceEnds: P-20, P-21 (nothing is reserved, so nothing can expire)                        |
 * | S4-08              | acceptanceEnds: P-24, P-31; store/migrations                                                  |
 * | S4-12 to S4-14     | announce/announcement                                                                         |
 * | S4-15 to S4-17     | mainAgent: "spawns by itself …", "reads results at its next step …", "gets five results …"    |
 * | S4-18, S4-19       | plans, plansOfAgents                                                                          |
 *
 * S1-20 and S4-07 are of the chat, which comes later.
 */
import { describe, expect, it } from "vitest";
import type { Runtime } from "../../../../src/core/runtime.ts";
import { aRuntime, hasEnded, untilRun } from "../../../fakes/aRuntime.ts";
import { aSession } from "../../../fakes/aStore.ts";
import { aCall, ScriptedModel } from "../../../fakes/scriptedModel.ts";
import { temporaryFolder } from "../../../fakes/temporaryFolder.ts";
import { TwoFacedModel } from "../../../fakes/twoFacedModel.ts";

const chat = { ...aSession("agent:main:chat-1", "main"), agentId: "main" };
const spawnCall = (id: string, fields: object = {}) =>
	aCall("sessions_spawn", { agent: "scout", task: "Look", ...fields }, id);

async function takeTurn(runtime: Runtime): Promise<void> {
	const turn = await runtime.control.startTurn(chat, "Go");
	await untilRun(runtime, turn.id, hasEnded);
}

/** What the main agent's tools answered in its n-th request. */
function resultsIn(model: TwoFacedModel, index: number): readonly { text: string; isError: boolean | undefined }[] {
	return (model.mainRequests[index]?.messages ?? []).flatMap((message) =>
		message.role === "tool" ? [{ text: message.text, isError: message.isError }] : [],
	);
}

describe("the seeds' rules", () => {
	it("P13, S4-06: a main agent reaches no subagent of another session", async () => {
		const tools = ["sessions_history", "sessions_send", "sessions_stop", "sessions_subagent_remove"];
		const calls = tools.map((name) =>
			aCall(name, { target: "run_", ...(name === "sessions_send" && { message: "Hi" }) }),
		);
		const model = new TwoFacedModel([{ calls }, { text: "None is mine." }], [{ hangs: "politely" }]);
		const runtime = await aRuntime(model);
		const answer = await runtime.spawn({ agent: "scout", task: "Look" });
		if (!answer.accepted) throw new Error(answer.error);
		await untilRun(runtime, answer.runId, ({ state }) => state === "running");
		await takeTurn(runtime);
		const results = resultsIn(model, 1);
		expect(results).toHaveLength(tools.length);
		for (const { text, isError } of results) {
			expect({ text, isError }).toEqual({ isError: true, text: expect.stringContaining("You have no subagent run_") });
		}
		expect(runtime.runs.get(answer.runId)).toMatchObject({ state: "running" });
		await runtime.stop(answer.runId);
	});

	it("S4-05, S4-06: the beginning of an id must be unique, and what has not ended is not removed", async () => {
		const remove = aCall("sessions_subagent_remove", { target: "run_" });
		const model = new TwoFacedModel(
			[
				{ calls: [spawnCall("c1")] },
				{ calls: [remove] },
				{ calls: [spawnCall("c2")] },
				{ calls: [aCall("sessions_history", { target: "run_" })] },
				{ text: "Well." },
			],
			[{ hangs: "politely" }, { hangs: "politely" }],
		);
		const runtime = await aRuntime(model);
		await takeTurn(runtime);
		const results = resultsIn(model, 4);
		expect(results[1]).toMatchObject({ isError: true, text: expect.stringContaining("This run has not ended") });
		expect(results[3]).toMatchObject({ isError: true, text: expect.stringContaining("Several of your subagents") });
		const children = runtime.runs.list().filter(({ kind }) => kind === "subagent");
		expect(children).toHaveLength(2);
		await Promise.all(children.map(({ id }) => runtime.stop(id)));
	});

	it("S1-14: a result arrives in the very session that asked for it, once, and in no other", async () => {
		const sent = (name: string) => [{ calls: [spawnCall(`c-${name}`, { task: `For ${name}` })] }, { text: "Sent." }];
		const model = new TwoFacedModel(
			[...sent("one"), { text: "Read." }, ...sent("two"), { text: "Read." }],
			[{ text: "SUMMARY: first." }, { text: "SUMMARY: second." }],
		);
		const runtime = await aRuntime(model);
		const chats = ["agent:main:chat-1", "agent:main:chat-2"].map((key) => ({ ...chat, key, id: `ses_${key.at(-1)}` }));
		const announced = async (key: string) =>
			(await runtime.transcripts.readSession(key, 0, 100)).flatMap(({ kind, text }) =>
				kind === "announcement" ? [/Summary: (.*)/u.exec(text)?.[1]] : [],
			);
		for (const [index, session] of chats.entries()) {
			await runtime.control.startTurn(session, "Go");
			await expect.poll(() => announced(session.key)).toEqual([["first.", "second."][index]]);
			await expect.poll(() => runtime.runs.list().every(hasEnded)).toBe(true);
		}
		expect(await announced(chats[0]?.key ?? "")).toEqual(["first."]);
	});

	it("S2-05: each spawn has a session of its own, under a key that names the agent and no other has", async () => {
		const runtime = await aRuntime(new ScriptedModel({ text: "Done." }, { text: "Done." }));
		const keys = await Promise.all(
			["Look", "Look"].map(async (task) => {
				const answer = await runtime.spawn({ agent: "scout", task });
				if (!answer.accepted) throw new Error(answer.error);
				await untilRun(runtime, answer.runId, hasEnded);
				return answer.sessionKey;
			}),
		);
		expect(new Set(keys).size).toBe(2);
		for (const key of keys) expect(key).toMatch(/^agent:scout:subagent:[\w-]+$/u);
	});

	it("S2-11: a run that fails ends first and is announced after, with the reason", async () => {
		const model = new TwoFacedModel(
			[{ calls: [spawnCall("c1")] }, { text: "Sent." }, { text: "I see." }],
			[{ error: "The model is gone.", errorKind: "bad-request" }],
		);
		const runtime = await aRuntime(model);
		await takeTurn(runtime);
		const child = runtime.runs.list().find(({ kind }) => kind === "subagent");
		const types = async () => (await runtime.transcripts.readEvents(child?.id ?? "")).map(({ type }) => type);
		await expect.poll(types).toContain("subagent.announced");
		const all = await types();
		expect(all.indexOf("subagent.ended")).toBeLessThan(all.indexOf("subagent.announced"));
		expect(await runtime.transcripts.readSession(chat.key, 0, 100)).toContainEqual(
			expect.objectContaining({ kind: "announcement", text: expect.stringContaining("failed: The model is gone.") }),
		);
	});

	it("S3-09: spawn_agent is the same tool, and says what is wrong with a call", async () => {
		const calls = [
			aCall("spawn_agent", { agent: "scout", task: "Look", context: "Notes." }, "c1"),
			aCall("spawn_agent", { agent: "scout", task: " " }, "c2"),
			aCall("spawn_agent", { agent: "scuot", task: "Look" }, "c3"),
		];
		const model = new TwoFacedModel([{ calls }, { text: "Sent." }, { text: "Back." }], [{ text: "Done." }]);
		const runtime = await aRuntime(model);
		await takeTurn(runtime);
		const [accepted, blank, unknown] = resultsIn(model, 1).map(({ text }) => text);
		expect(accepted).toContain('"status":"accepted"');
		expect(blank).toContain("say what the subagent is to do");
		expect(unknown).toContain("Available: scout.");
		expect(runtime.runs.list().filter(({ kind }) => kind === "subagent")).toHaveLength(1);
	});

	it("S3-09: where no agent is defined, the answer says where to begin", async () => {
		const runtime = await aRuntime(new ScriptedModel(), { repoFolder: temporaryFolder() });
		expect(await runtime.spawn({ agent: "scout", task: "Look" })).toMatchObject({
			status: "error",
			error: expect.stringContaining("Muster: Set Up This Workspace"),
		});
	});

	it.each([undefined, "", " \n"])(
		"S3-10: with the context %j the first message is exactly the task",
		async (context) => {
			const model = new ScriptedModel({ text: "Done." });
			const runtime = await aRuntime(model);
			const answer = await runtime.spawn({ agent: "scout", task: " Look\n", context });
			if (!answer.accepted) throw new Error(answer.error);
			await untilRun(runtime, answer.runId, hasEnded);
			expect(model.requests[0]?.messages).toEqual([{ role: "user", text: " Look\n" }]);
		},
	);
});
