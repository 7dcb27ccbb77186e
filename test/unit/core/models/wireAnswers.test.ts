import { describe, expect, it } from "vitest";
import type { ModelMessage, ModelPart } from "../../../../src/core/models/modelPort.ts";
import {
	speak,
	speakWhole,
	type Speech,
	spokenModel,
	spokenReasoning,
	spokenSignature,
	spokenUsage,
	type SpokenWire,
} from "../../../fakes/modelServer.ts";
import { askWire, callsIn, errorIn, finishOf, textIn, wires } from "./askWire.ts";

const everything: Speech = {
	thinking: ["Let me ", "see."],
	text: ["I read ", "both: ", "😀."],
	calls: [
		{ id: "call_a", name: "read_file", pieces: ['{"pa', 'th":"a.ts"', "}"] },
		{ id: "call_b", name: "list_files", pieces: ["{}"] },
	],
};

/** Adjacent deltas joined, so that a stream and a whole answer can be compared. */
function joined(parts: readonly ModelPart[]): ModelPart[] {
	const found: ModelPart[] = [];
	for (const part of parts) {
		const last = found.at(-1);
		if (last && "delta" in last && "delta" in part && last.type === part.type) {
			found[found.length - 1] = { ...last, delta: last.delta + part.delta };
		} else found.push(part);
	}
	return found;
}

describe.each(wires)("An answer in the dialect %s", (wire) => {
	it("becomes thinking, text, complete calls in order, and one finish with usage", async () => {
		const { parts } = await askWire(wire, { body: speak(wire, everything) });
		expect(parts.map(({ type }) => type)).toEqual([
			"response-metadata",
			"reasoning-start",
			"reasoning-delta",
			"reasoning-delta",
			"reasoning-end",
			"text-start",
			"text-delta",
			"text-delta",
			"text-delta",
			"text-end",
			...(wire === "chat" ? [] : ["replay"]),
			"tool-call",
			"tool-call",
			"finish",
		]);
		expect(parts[0]).toEqual({ type: "response-metadata", modelId: spokenModel });
		expect(textIn(parts)).toBe("I read both: 😀.");
		expect(textIn(parts, "reasoning-delta")).toBe("Let me see.");
		expect(callsIn(parts)).toEqual([
			{ type: "tool-call", toolCallId: "call_a", toolName: "read_file", input: { path: "a.ts" } },
			{ type: "tool-call", toolCallId: "call_b", toolName: "list_files", input: {} },
		]);
		expect(finishOf(parts)).toEqual({
			type: "finish",
			finishReason: "tool-calls",
			usage: {
				inputTokens: { total: spokenUsage.input, cacheRead: spokenUsage.cacheRead },
				outputTokens: { total: spokenUsage.output, reasoning: wire === "anthropic" ? 0 : spokenUsage.reasoning },
				usd: null,
				isEstimate: false,
			},
		});
	});

	it("is the same when it comes whole as JSON, with any content type", async () => {
		const streamed = await askWire(wire, { body: speak(wire, everything) });
		for (const type of ["application/json; charset=utf-8", "text/event-stream", "text/plain"]) {
			const whole = await askWire(wire, { headers: { "content-type": type }, body: [speakWhole(wire, everything)] });
			expect(joined(whole.parts)).toEqual(joined(streamed.parts));
		}
	});

	it("is read as a stream when its content type is wrong", async () => {
		const headers = { "content-type": "application/json" };
		const { parts } = await askWire(wire, { headers, body: speak(wire, { text: ["Hi"] }) });
		expect(textIn(parts)).toBe("Hi");
	});

	it.each([
		["stop", "stop"],
		["length", "length"],
		["filter", "content-filter"],
	] as const)("that stops by %s finishes with %s", async (finish, finishReason) => {
		const { parts } = await askWire(wire, { body: speak(wire, { text: ["Some"], finish }) });
		expect(finishOf(parts)?.finishReason).toBe(finishReason);
	});

	it("with calls that says it just stopped is read as calls", async () => {
		const { parts } = await askWire(wire, { body: speak(wire, { ...everything, finish: "stop" }) });
		expect(finishOf(parts)?.finishReason).toBe("tool-calls");
		expect(callsIn(parts)).toHaveLength(2);
	});

	it("tells of pieces of a call's input, so that a watchdog sees a model at work", async () => {
		let count = 0;
		await askWire(wire, { body: speak(wire, { calls: everything.calls ?? [] }) }, { onProgress: () => (count += 1) });
		expect(count).toBe(4);
	});

	it("is sent back as it was, with its signed thinking in its place", async () => {
		const { parts } = await askWire(wire, { body: speak(wire, everything) });
		const replay = parts.find((part) => part.type === "replay")?.data;
		const messages: ModelMessage[] = [
			{ role: "user", text: "Hello" },
			{
				role: "assistant",
				text: textIn(parts),
				toolCalls: callsIn(parts),
				replay: JSON.parse(JSON.stringify(replay ?? null)),
			},
		];
		const { requests } = await askWire(wire, { body: speak(wire, { text: ["ok"] }) }, { messages });
		const sent = JSON.stringify(requests[0]?.body);
		expect(sent.includes(spokenSignature)).toBe(wire === "anthropic");
		expect(sent.includes(spokenReasoning)).toBe(wire === "responses");
		const order = [wire === "chat" ? "I read" : "Let me see.", "I read both", "call_a", "call_b"];
		expect(order.map((text) => sent.indexOf(text))).toEqual(
			order.map((text) => sent.indexOf(text)).toSorted((a, b) => a - b),
		);
		const foreign = wires.filter((other) => other !== wire);
		for (const other of foreign) {
			const asked = await askWire(other, { body: speak(other, { text: ["ok"] }) }, { messages });
			expect(JSON.stringify(asked.requests[0]?.body)).not.toMatch(/signature==|encrypted==/u);
		}
	});

	it("without figures has estimated ones, and says so", async () => {
		const events = speak(wire, { text: ["Hello there"] }).map((event) =>
			event.replaceAll(/"(?:usage|input_tokens|output_tokens)":/gu, '"nothing":'),
		);
		const usage = finishOf((await askWire(wire, { body: events })).parts)?.usage;
		expect(usage?.isEstimate).toBe(true);
		expect(usage?.outputTokens.total).toBeGreaterThan(0);
	});
});

describe("Thinking between text and calls", () => {
	const event = (data: unknown) => `data: ${JSON.stringify(data)}\n\n`;
	const thinking = (thought: string) => ({ type: "thinking", thinking: thought, signature: `signed ${thought}` });
	const content = [
		thinking("one"),
		{ type: "text", text: "First. " },
		thinking("two"),
		{ type: "redacted_thinking", data: "hidden" },
		{ type: "text", text: "Then." },
		{ type: "tool_use", id: "a", name: "t", input: { n: 1 } },
	];
	const items = ["one", "two"].map((id) => ({ type: "reasoning", id, summary: [], encrypted_content: id }));
	const said = (text: string) => ({ type: "message", role: "assistant", content: [{ type: "output_text", text }] });
	const output = [
		items[0],
		said("First. "),
		items[1],
		said("Then."),
		{ type: "function_call", call_id: "a", name: "t", arguments: '{"n":1}' },
	];

	it.each([
		["anthropic", JSON.stringify({ content, stop_reason: "tool_use" }), content],
		["responses", JSON.stringify({ output, status: "completed" }), output],
		[
			"responses",
			output.map((item) => event({ type: "response.output_item.done", item })).join("") +
				event({ type: "response.completed", response: { output } }),
			output,
		],
	] as const)("goes back in its order in the dialect %s", async (wire, body, expected) => {
		const { parts } = await askWire(wire, { body: [body] });
		const replay = parts.find((part) => part.type === "replay")?.data;
		const answer = { role: "assistant", text: textIn(parts), toolCalls: callsIn(parts), replay } as const;
		const sent = async (message: ModelMessage) => {
			const asked = await askWire(
				wire,
				{ body: speak(wire, {}) },
				{ messages: [message, { role: "user", text: "?" }] },
			);
			return asked.requests[0]?.body as { messages?: { content: unknown }[]; input?: unknown[] };
		};
		const whole = await sent(answer);
		expect(whole.messages?.[0]?.content ?? whole.input?.slice(0, -1)).toEqual(expected);
		const changed = await sent({ ...answer, text: "Changed." });
		expect(JSON.stringify(changed)).toMatch(/one.*two.*Changed\./u);
	});
});

describe("Calls as servers really send them", () => {
	const chat = (...deltas: unknown[]) => [
		...deltas.map((call) => `data: ${JSON.stringify({ choices: [{ delta: { tool_calls: [call] } }] })}\n\n`),
		'data: {"choices":[{"delta":{},"finish_reason":"stop"}]}\n\n',
	];
	const whole = (id: string | undefined, name: string, args: unknown, index?: number) => ({
		id,
		index,
		function: { name, arguments: args },
	});

	it.each([
		[
			"without a number",
			[whole("a", "x", '{"n":', undefined), { function: { arguments: "1}" } }, whole("b", "y", "{}")],
		],
		["all with the number 0", [whole("a", "x", '{"n":1}', 0), whole("b", "y", "{}", 0)]],
		["with the id on every piece", [whole("a", "x", '{"n":', 0), whole("a", "", "1}", 0), whole("b", "y", "{}", 1)]],
		["with the input as an object", [whole("a", "x", { n: 1 }), whole("b", "y", {})]],
		[
			"with the id only in the second piece",
			[whole(undefined, "x", '{"n":', 0), whole("a", "", "1}", 0), whole("b", "y", "{}", 1)],
		],
		[
			"in pieces that alternate",
			[
				whole("a", "x", '{"n":', 0),
				whole("b", "y", "{", 1),
				whole(undefined, "", "1}", 0),
				whole(undefined, "", "}", 1),
			],
		],
	])("are put together when they come %s", async (_, deltas) => {
		const { parts } = await askWire("chat", { body: chat(...deltas) });
		expect(callsIn(parts)).toEqual([
			{ type: "tool-call", toolCallId: "a", toolName: "x", input: { n: 1 } },
			{ type: "tool-call", toolCallId: "b", toolName: "y", input: {} },
		]);
		expect(finishOf(parts)?.finishReason).toBe("tool-calls");
	});

	const named = (ids: readonly (string | undefined)[]): Speech => ({
		calls: ids.map((id, index) => ({ ...(id !== undefined && { id }), name: `tool${index}`, pieces: ["{}"] })),
	});

	it.each(
		wires.flatMap((wire): [SpokenWire, string, (string | undefined)[]][] => [
			[wire, "missing", [undefined, undefined, "", "x"]],
			[wire, "double", ["x", "x", "x"]],
		]),
	)("get ids of their own in the dialect %s when ids are %s", async (wire, _, ids) => {
		const { parts } = await askWire(wire, { body: speak(wire, named(ids)) });
		expect(callsIn(parts).map(({ toolName }) => toolName)).toEqual(ids.map((__, index) => `tool${index}`));
		expect(new Set(callsIn(parts).map(({ toolCallId }) => toolCallId)).size).toBe(ids.length);
		expect(callsIn(parts).filter(({ toolCallId }) => toolCallId === "x")).toHaveLength(1);
	});

	it.each(wires)("get new ids in the dialect %s when the conversation has used them", async (wire) => {
		const messages: ModelMessage[] = [
			{ role: "assistant", text: "", toolCalls: [{ toolCallId: "x", toolName: "t", input: {} }] },
			{ role: "tool", toolCallId: "x", toolName: "t", text: "", isError: false },
		];
		const { parts } = await askWire(wire, { body: speak(wire, named(["x"])) }, { messages });
		expect(callsIn(parts)[0]?.toolCallId).toMatch(/^call_[\da-f]{32}$/u);
		expect(errorIn(parts)).toBeUndefined();
	});
});
