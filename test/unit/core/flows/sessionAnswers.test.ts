/** What a main agent's own tools answer about its subagents and agents. */
import { describe, expect, it } from "vitest";
import type { Runtime } from "../../../../src/core/runtime.ts";
import { anAgentFile, aRuntime, hasEnded, untilRun } from "../../../fakes/aRuntime.ts";
import { aSession } from "../../../fakes/aStore.ts";
import { aCall, type ScriptedReply } from "../../../fakes/scriptedModel.ts";
import { temporaryFolder } from "../../../fakes/temporaryFolder.ts";
import { TwoFacedModel } from "../../../fakes/twoFacedModel.ts";

const chat = { ...aSession("agent:main:chat-1", "main"), agentId: "main" };
const spawn = aCall("sessions_spawn", { agent: "scout", task: "Look\nat it", label: "look", wait: true }, "c1");

interface Message {
	readonly role: string;
	readonly text: string;
	readonly at: number;
}

/** The answers that the main agent gets to these calls, after a subagent has ended with these replies. */
async function answersTo(
	calls: readonly (readonly [string, object])[],
	child: readonly ScriptedReply[],
	repoFolder?: string,
) {
	const asked = calls.map(([name, input], index) => aCall(name, input, `a${index}`));
	const model = new TwoFacedModel([{ calls: [spawn] }, { calls: asked }, { text: "Well." }], child);
	const runtime = await aRuntime(model, repoFolder === undefined ? {} : { repoFolder });
	const turn = await runtime.control.startTurn(chat, "Go");
	expect(await untilRun(runtime, turn.id, hasEnded)).toMatchObject({ state: "ok" });
	const results =
		model.mainRequests[2]?.messages.flatMap((message) => (message.role === "tool" ? [message] : [])) ?? [];
	const refused = results.slice(1).filter(({ isError }) => isError);
	const given = results.slice(1).filter(({ isError }) => !isError);
	const answers = given.map(({ text }) => JSON.parse(text) as Record<string, never>);
	return { answers, refused, childOf: childOf(runtime) };
}

function childOf(runtime: Runtime) {
	const run = runtime.runs.list().find(({ kind }) => kind === "subagent");
	if (!run) throw new Error("There is no subagent");
	return run;
}

const done = { text: "Seven. SUMMARY: Seven." };
const messagesOf = (answer: Record<string, never> | undefined) =>
	answer?.["messages"] as readonly Message[] | undefined;
const textsOf = (answer: Record<string, never> | undefined) =>
	messagesOf(answer)?.map(({ role, text }) => `${role}: ${text}`);

describe("a main agent asks", () => {
	it("sessions_list: one row for each subagent, with its id, session, state, times and result", async () => {
		const { answers, childOf: child } = await answersTo([["sessions_list", {}]], [done]);
		expect(answers).toEqual([
			{
				sessions: [
					{
						runId: child.id,
						sessionKey: child.sessionKey,
						state: "ok",
						agent: "scout",
						label: "look",
						queuedAt: child.queuedAt,
						startedAt: child.startedAt,
						endedAt: child.endedAt,
						summary: "Seven.",
						error: null,
					},
				],
			},
		]);
	});

	it("sessions_history: what was said, with calls and results only on request, and no more than the limit", async () => {
		const look = { text: "I look.", calls: [aCall("read_file", { path: "notes.txt" })] };
		const of = (input: object) => ["sessions_history", { target: "run_", ...input }] as const;
		const {
			answers,
			refused,
			childOf: child,
		} = await answersTo(
			[of({}), of({ includeTools: true }), of({ limit: 1 }), of({ limit: 201 }), of({ limit: 0 })],
			[look, done],
		);
		expect(answers[0]).toMatchObject({ sessionKey: child.sessionKey });
		expect(textsOf(answers[0])).toEqual([
			"user: Look\nat it",
			"assistant: I look.",
			"assistant: Seven. SUMMARY: Seven.",
		]);
		expect(textsOf(answers[1])).toEqual([
			"user: Look\nat it",
			"assistant: I look.",
			'call read_file: {"path":"notes.txt"}',
			expect.stringMatching(/^result read_file: .*seven/su),
			"assistant: Seven. SUMMARY: Seven.",
		]);
		expect(textsOf(answers[2])).toEqual(["assistant: Seven. SUMMARY: Seven."]);
		expect(refused).toHaveLength(2);
		for (const { text } of refused) expect(text).toContain("limit");
	});

	it("sessions_history: 4,000 characters of a text and 80 KB of all, the newest", async () => {
		const long = (letter: string) => letter.repeat(5_000);
		const letters = Array.from({ length: 30 }, (_, index) => String.fromCodePoint(0x61 + (index % 26)));
		// Each of them is a turn that goes on.
		const replies = letters.map((letter, index) => ({
			text: `${index} ${long(letter)}`,
			calls: [aCall("read_file", { path: "notes.txt", offset: 1, limit: index + 1 }, `r${index}`)],
		}));
		const { answers } = await answersTo([["sessions_history", { target: "run_", limit: 200 }]], [...replies, done]);
		const messages = messagesOf(answers[0]) ?? [];
		expect(messages.at(-1)?.text).toBe("Seven. SUMMARY: Seven.");
		expect(messages.at(-2)?.text).toBe(`29 ${long("d")}`.slice(0, 4_000) + "…");
		for (const { text } of messages) expect(text.length).toBeLessThanOrEqual(4_001);
		expect(Buffer.byteLength(JSON.stringify(answers[0]))).toBeLessThanOrEqual(80 * 1_024);
		expect(messages.length).toBeGreaterThan(15);
		expect(messages.length).toBeLessThan(25);
	});

	it("agents_list: those that it may spawn, with their tools, and none that is not for it", async () => {
		const repoFolder = temporaryFolder({
			".agents/agents/scout.md": anAgentFile("scout", "tools: [read_file, grep]\n"),
			".agents/agents/inner.md": anAgentFile("inner", "visibility: internal\n"),
			"notes.txt": "seven\n",
		});
		const { answers } = await answersTo([["agents_list", {}]], [done], repoFolder);
		expect(answers).toEqual([
			{ agents: [{ name: "scout", description: "Looks at things.", tools: ["read_file", "grep"] }] },
		]);
	});
});
