import { describe, expect, it } from "vitest";
import type { StreamEvent } from "../../../../src/core/engine/streamEvent.ts";
import { aRuntime, hasEnded, untilRun } from "../../../fakes/aRuntime.ts";
import { aSession } from "../../../fakes/aStore.ts";
import { aCall } from "../../../fakes/scriptedModel.ts";
import { TwoFacedModel } from "../../../fakes/twoFacedModel.ts";

const chat = { ...aSession("agent:main:chat-1", "main"), agentId: "main" };

/** A main agent spawns one subagent, which reads a file and answers. */
async function aSpawn(fields: object) {
	const spawn = aCall("sessions_spawn", { agent: "scout", task: "Look", ...fields });
	const read = aCall("read_file", { path: "notes.txt" }, "read-1");
	const model = new TwoFacedModel(
		[{ calls: [spawn] }, { text: "Sent." }, { text: "Back." }],
		[{ text: "I look.", calls: [read] }, { text: "Seven. SUMMARY: Seven." }],
	);
	const runtime = await aRuntime(model);
	const streamed: StreamEvent[] = [];
	runtime.runs.onDidStream((event) => streamed.push(event));
	const turn = await runtime.control.startTurn(chat, "Go");
	await expect.poll(() => runtime.runs.list().find(({ kind }) => kind === "subagent")?.state).toBe("ok");
	const child = runtime.runs.list().find(({ kind }) => kind === "subagent");
	if (!child) throw new Error("No subagent.");
	await untilRun(runtime, turn.id, hasEnded);
	return { runtime, streamed, child, turn };
}

describe("a subagent that is to deliver (S2-09)", () => {
	it("streams what it says and does to the surfaces of who asked, in order, with its run on every event", async () => {
		const { streamed, child, turn, runtime } = await aSpawn({ deliver: true });
		expect(streamed.map(({ type, turn: at }) => [type, at])).toEqual([
			["text", 1],
			["tool-started", 1],
			["tool-ended", 1],
			["text", 2],
		]);
		expect(streamed).toMatchObject([
			{ text: "I look." },
			{ toolName: "read_file", callId: "read-1", input: '{"path":"notes.txt"}' },
			{ toolName: "read_file", callId: "read-1", isError: false, result: "1\tseven" },
			{ text: "Seven. SUMMARY: Seven." },
		]);
		const { id: runId, sessionId } = child;
		for (const event of streamed) {
			const { requesterSessionId } = child;
			expect(event).toMatchObject({ runId, sessionId, agentId: "scout", parentRunId: turn.id, requesterSessionId });
		}
		const own = await runtime.transcripts.readSession(chat.key, 0, 100);
		expect(own.filter(({ text, kind }) => kind !== "announcement" && text.includes("I look."))).toEqual([]);
	});

	it("is the only kind that does: without the word there are its stored events alone", async () => {
		const { streamed } = await aSpawn({});
		expect(streamed).toEqual([]);
	});
});
