/**
 * What the seeds' own documents and code say (S1, S2, S3, S4), by ids. Those that other tests hold:
 *
 * | id                 | test                                                                                          |
 * | ------------------ | --------------------------------------------------------------------------------------------- |
 * | S1-01, S1-02       | spawn/corpus, P01 to P08: a wrong type or enum is an error                                    |
 * | S1-03, S2-01       | spawn/seedRequests: "are accepted word for word, with the answers that the seeds show"        |
 * | S1-04              | spawnToAnnounce: "answers at once, runs the tools, and announces …"                           |
 * | S1-08, S2-08, S4-10| acceptance: P-09, P-10, P-13                                                                  |
 * | S1-09              | acceptance: P-16, spawn/corpus P07                                                            |
 * | S1-13, S1-15, S1-16, S2-18, S4-09 | acceptance: P-01, P-07, P-08                                                   |
 * | S1-17, S4-11       | acceptanceEnds: P-26                                                                          |
 * | S2-04              | mainAgent: "gives no subagent the tools that rule over sessions"; spawn/corpus P09            |
 * | S2-06              | endings: "stops a queued run without ever starting it …"                                      |
 * | S2-07              | lanes, all of it                                                                              |
 * | S2-13, S2-20       | acceptanceEnds: P-22, P-30                                                                    |
 * | S2-15, S4-20       | mainAgent: "sends to a subagent that has ended, which answers in the same session …"          |
 * | S3-10              | spawnToAnnounce: "puts context into the first message …"; without one: here                   |
 * | S3-12              | endings: "fails with the model's own words, and tells the user"                               |
 * | S3-16              | acceptanceEnds: P-24                                                                          |
 * | S3-22              | mainAgent: "gets the same run again for the same call …"; restart; acceptance: P-01, P-07     |
 * | S4-02, S4-03, S4-04| acceptanceEnds: P-20, P-21 (nothing is reserved, so nothing can expire)                        |
 * | S4-12 to S4-14     | announce/announcement                                                                         |
 * | S4-16, S4-17       | mainAgent: "spawns by itself …", "gets five results in one message round …"                   |
 *
 * Of later parts or other surfaces: S1-05, S1-19 (static agents, channels), S1-06, S1-07 (role caps by configuration; the
 * lanes hold them), S1-18 (todo items), S1-20, S4-07 (chat), S2-09 (`deliver`), S2-14 (RPC), S2-16, S2-17 (retries), S4-18,
 * S4-19 (plan mode). Not held by a test of this kind: S1-10 to S1-12, S1-14, S2-02, S2-03, S2-05, S2-10 to S2-12, S2-19,
 * S4-01, S4-08, S4-15.
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
