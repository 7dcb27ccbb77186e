import { describe, expect, it } from "vitest";
import { parseDemoScript } from "../../../../src/core/models/demoScript.ts";
import { createDemoProvider } from "../../../../src/core/models/demoModel.ts";
import type { ModelPart } from "../../../../src/core/models/modelPort.ts";
import { type Clock, systemClock } from "../../../../src/core/ports/clock.ts";
import { aRequest, askDemo, aTool, callsOf, demoModel, fileTools, finishesOf, textOf } from "./askDemo.ts";

/** Time passes at once, and is written down. */
function instantClock(): Clock & { readonly waits: number[] } {
	const waits: number[] = [];
	return {
		waits,
		now: () => 0,
		after(ms, callback) {
			waits.push(ms);
			queueMicrotask(callback);
			return { dispose: () => undefined };
		},
	};
}

/** Time never passes. */
const stoppedClock: Clock = { now: () => 0, after: () => ({ dispose: () => undefined }) };

function scriptOf(...turns: readonly object[]) {
	const { script } = parseDemoScript(JSON.stringify({ scripts: [{ when: "scripted", turns }] }));
	if (script === undefined) throw new Error("The test's script is wrong");
	return { script };
}

describe("the demo provider", () => {
	it("has one model, and says what it is", () => {
		const provider = createDemoProvider({ pace: "off", clock: systemClock });
		expect(provider).toMatchObject({ id: "demo", label: "Demo" });
		expect(provider.model("demo")).toMatchObject({ ref: "demo/demo", label: "Demo" });
		expect(provider.model("gpt")).toBeUndefined();
	});
});

describe("the demo model", () => {
	it("begins with a sentence and a look at the folder", async () => {
		const parts = await askDemo(aRequest("What is this?"));
		expect(textOf(parts)).toBe("First I look at the folder.");
		expect(callsOf(parts)).toEqual([{ tool: "list_dir", input: { path: "." } }]);
		expect(parts[0]).toEqual({ type: "response-metadata", modelId: "demo" });
		expect(finishesOf(parts)).toEqual([{ reason: "tool-calls", isLast: true }]);
	});

	it("gives the same parts for the same request", async () => {
		const request = aRequest("Explain `discount` in src/discount.js");
		expect(await askDemo(request)).toEqual(await askDemo(request));
	});

	it("streams word by word, every word between its start and its end", async () => {
		const parts = await askDemo(aRequest("What is this?"));
		expect(parts.slice(1, 9).map(({ type }) => type)).toEqual([
			"text-start",
			...Array<string>(6).fill("text-delta"),
			"text-end",
		]);
	});

	it("thinks for a moment and keeps a human pace of 25 words a second", async () => {
		const clock = instantClock();
		await askDemo(aRequest("What is this?"), { pace: "human", clock });
		expect(clock.waits).toEqual([800, ...Array(6).fill(40)]);
	});

	it("waits for nothing when the pace is off", async () => {
		const parts = await askDemo(aRequest("What is this?"), { clock: stoppedClock });
		expect(finishesOf(parts)).toEqual([{ reason: "tool-calls", isLast: true }]);
	});

	it("estimates its usage by characters, at no cost", async () => {
		const parts = await askDemo(aRequest("x".repeat(4000)));
		const usage = parts.flatMap((part) => (part.type === "finish" ? [part.usage] : []))[0];
		expect(usage).toMatchObject({ usd: 0, isEstimate: true, inputTokens: { cacheRead: 0 } });
		expect(usage?.inputTokens.total).toBeGreaterThan(1000);
		const written = textOf(parts).length + JSON.stringify({ path: "." }).length;
		expect(usage?.outputTokens).toEqual({ total: Math.ceil(written / 4), reasoning: 0 });
	});

	it("ends at once when it was aborted before", async () => {
		const parts = await askDemo(aRequest("What is this?", { signal: AbortSignal.abort() }));
		expect(parts.map(({ type }) => type)).toEqual(["finish"]);
		expect(finishesOf(parts)).toEqual([{ reason: "aborted", isLast: true }]);
	});

	it("ends promptly when it is aborted between two words", async () => {
		const controller = new AbortController();
		const parts: ModelPart[] = [];
		const request = aRequest("What is this?", { signal: controller.signal });
		for await (const part of demoModel({ pace: "human", clock: instantClock() }).stream(request)) {
			parts.push(part);
			if (part.type === "text-delta") controller.abort();
		}
		expect(textOf(parts)).toBe("First ");
		expect(callsOf(parts)).toEqual([]);
		expect(parts.slice(-2).map(({ type }) => type)).toEqual(["text-end", "finish"]);
		expect(finishesOf(parts)).toEqual([{ reason: "aborted", isLast: true }]);
	});

	it("ends promptly when it is aborted while it waits for time that never passes", async () => {
		const controller = new AbortController();
		const clock: Clock = {
			now: () => 0,
			after() {
				setImmediate(() => controller.abort());
				return { dispose: () => undefined };
			},
		};
		const request = aRequest("What is this?", { signal: controller.signal });
		expect(finishesOf(await askDemo(request, { pace: "human", clock }))).toEqual([{ reason: "aborted", isLast: true }]);
	});

	it("gives every call of a conversation an id of its own", async () => {
		const first = aRequest("What is this?");
		const [call] = (await askDemo(first)).filter((part) => part.type === "tool-call");
		const second = aRequest([
			...first.messages,
			{ role: "assistant", text: "", toolCalls: call === undefined ? [] : [call] },
			{
				role: "tool",
				toolCallId: call?.toolCallId ?? "",
				toolName: "list_dir",
				text: "README.md (5 bytes)",
				isError: false,
			},
		]);
		const ids = (await askDemo(second)).flatMap((part) => (part.type === "tool-call" ? [part.toolCallId] : []));
		expect(ids).toHaveLength(1);
		expect(ids).not.toContain(call?.toolCallId);
	});

	it.each([
		["no message at all", aRequest([])],
		["an empty task", aRequest("")],
		["a result without a call", aRequest([{ role: "tool", toolCallId: "x", toolName: "y", text: "", isError: true }])],
		[
			"a call without a result",
			aRequest([
				{ role: "user", text: "Look" },
				{ role: "assistant", text: "", toolCalls: [{ toolCallId: "a", toolName: "list_dir", input: null }] },
			]),
		],
		["a hundred thousand words", aRequest("a/b.c ".repeat(100_000))],
		["tools that it does not know", aRequest("Look", { tools: [aTool("mcp__x__y")] })],
	])("answers %s, with one finish", async (_what, request) => {
		expect(finishesOf(await askDemo(request))).toHaveLength(1);
	});
});

describe("a scripted demo model", () => {
	it("streams reasoning, text and calls of its turn, at the script's pace", async () => {
		const clock = instantClock();
		const turn = {
			text: "One two",
			reasoning: "Hm.",
			calls: [{ tool: "shell", input: { command: "ls" } }],
			chunkDelayMs: 7,
		};
		const parts = await askDemo(aRequest("a scripted task"), { clock, ...scriptOf(turn) });
		expect(parts.map(({ type }) => type)).toEqual([
			"response-metadata",
			"reasoning-start",
			"reasoning-delta",
			"reasoning-end",
			"text-start",
			"text-delta",
			"text-delta",
			"text-end",
			"tool-call",
			"finish",
		]);
		expect(callsOf(parts)).toEqual([{ tool: "shell", input: { command: "ls" } }]);
		expect(clock.waits).toEqual([7, 7, 7]);
		expect(parts.at(-1)).toMatchObject({ usage: { outputTokens: { reasoning: 1 } } });
	});

	it("ends with its error", async () => {
		const error = { message: "Too many requests", retryable: true, retryAfterMs: 10, statusCode: 429 };
		const parts = await askDemo(aRequest("scripted"), scriptOf({ text: "Well", error }));
		expect(textOf(parts)).toBe("Well");
		expect(parts.at(-2)).toEqual({ type: "error", error });
		expect(finishesOf(parts)).toEqual([{ reason: "error", isLast: true }]);
	});

	it("hangs after its text until it is aborted", async () => {
		const controller = new AbortController();
		const request = aRequest("scripted", { signal: controller.signal });
		const parts: ModelPart[] = [];
		for await (const part of demoModel(scriptOf({ text: "Still here", hangs: true })).stream(request)) {
			parts.push(part);
			if (part.type === "text-end") setImmediate(() => controller.abort());
		}
		expect(textOf(parts)).toBe("Still here");
		expect(finishesOf(parts)).toEqual([{ reason: "aborted", isLast: true }]);
	});

	it("is silent after its last turn", async () => {
		const messages = [
			{ role: "user", text: "scripted" },
			{ role: "assistant", text: "", toolCalls: [{ toolCallId: "1", toolName: "x", input: {} }] },
		] as const;
		const parts = await askDemo(aRequest(messages), scriptOf({ text: "Once" }));
		expect(textOf(parts)).toBe("");
		expect(finishesOf(parts)).toEqual([{ reason: "stop", isLast: true }]);
	});

	it("answers by itself what no script is for", async () => {
		const parts = await askDemo(aRequest("Something else", { tools: fileTools }), scriptOf({ text: "No" }));
		expect(callsOf(parts)).toEqual([{ tool: "list_dir", input: { path: "." } }]);
	});
});
