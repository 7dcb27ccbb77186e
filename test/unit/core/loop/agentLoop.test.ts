import { describe, expect, it } from "vitest";
import { nudges } from "../../../../src/core/loop/nudges.ts";
import type { ToolCall } from "../../../../src/core/models/modelPort.ts";
import { aCall, always, lastText, nudgesIn, runLoop, said } from "./aLoop.ts";

describe("the agent loop", () => {
	it("asks, runs what is called, asks again with the results, and ends with the first answer without a call", async () => {
		const { outcome, requests, events, usage } = await runLoop([
			{ text: "I look. ", calls: [aCall("1")] },
			{ reasoning: "Hm", text: "Seven." },
		]);
		expect(outcome).toEqual({ kind: "finished", text: "Seven." });
		expect(requests[1]?.messages).toEqual([
			said("Look"),
			{ role: "assistant", text: "I look. ", toolCalls: [aCall("1")] },
			{ role: "tool", toolCallId: "1", toolName: "look", text: "saw 1", isError: false },
		]);
		expect(events.map(({ type, turn }) => `${type} ${turn}`)).toEqual([
			"turn-started 1",
			"text 1",
			"text 1",
			"turn-ended 1",
			"answered 1",
			"tool-called 1",
			"tool-returned 1",
			"turn-started 2",
			"reasoning 2",
			"text 2",
			"turn-ended 2",
			"answered 2",
		]);
		expect(usage).toMatchObject({ inputTokens: 200, outputTokens: 20, cacheReadTokens: 80, usd: 0.02 });
	});

	it("starts a tool only when its start is committed", async () => {
		const order: string[] = [];
		await runLoop([{ calls: [aCall("1")] }, { text: "Done." }], {
			emit: async ({ type }) => {
				await Promise.resolve();
				if (type.startsWith("tool")) order.push(type);
			},
			runTool: async () => {
				order.push("runs");
				return { text: "", isError: false };
			},
		});
		expect(order).toEqual(["tool-called", "runs", "tool-returned"]);
	});

	it("ends as failed, without throwing, when nothing can be committed any more", async () => {
		const { outcome } = await runLoop([{ text: "Seven." }], { emit: () => Promise.reject(new Error("disk full")) });
		expect(outcome).toEqual({ kind: "failed", message: "disk full" });
	});
});

describe("calls", () => {
	it("run beside their safe neighbours and one after the other else, with results in the order of the calls", async () => {
		const calls = ["a", "b", "W", "c", "d"].map((id) => aCall(id));
		const running = new Set<string>();
		const together: string[] = [];
		const { requests } = await runLoop([{ calls }, { text: "Done." }], {
			isParallelSafe: ({ toolCallId }) => toolCallId !== "W",
			async runTool({ toolCallId }) {
				running.add(toolCallId);
				// Long enough for every neighbour to begin; the later ones end first.
				for (let turn = 0; turn < (toolCallId === "a" || toolCallId === "c" ? 20 : 10); turn++) await Promise.resolve();
				together.push([...running].join(""));
				running.delete(toolCallId);
				return { text: toolCallId, isError: false };
			},
		});
		expect(together).toEqual(["ab", "a", "W", "cd", "c"]);
		expect(requests[1]?.messages.slice(2).map(({ text }) => text)).toEqual(["a", "b", "W", "c", "d"]);
	});

	it("with input that is no JSON are answered and never executed", async () => {
		const broken = aCall("1", { input: undefined, inputError: "it ends in the middle" });
		const { executed, requests, events } = await runLoop([{ calls: [broken, aCall("2")] }, { text: "Done." }]);
		expect(executed.map(({ toolCallId }) => toolCallId)).toEqual(["2"]);
		expect(requests[1]?.messages[2]).toMatchObject({
			toolCallId: "1",
			text: "look was not run: its input is not a JSON object (it ends in the middle). Call it again with complete, valid JSON.",
			isError: true,
		});
		expect(events.filter(({ type }) => type === "tool-returned")).toHaveLength(2);
	});
});

describe("what is said to a run meanwhile", () => {
	it("is read before the next turn, after the results that were under way", async () => {
		let hasSaid = false;
		const { requests } = await runLoop([{ calls: [aCall("1")] }, { text: "Done." }], {
			boundary: async (turn) => (turn === 2 && !hasSaid && (hasSaid = true) ? [said("Rather look left")] : []),
		});
		expect(requests[1]?.messages.slice(-2)).toMatchObject([{ role: "tool" }, said("Rather look left")]);
		expect(requests).toHaveLength(2);
	});

	it("as it ends goes on with its answer as part of the conversation", async () => {
		const boundaries: number[] = [];
		const { outcome, requests } = await runLoop([{ text: "Seven." }, { text: "Eight." }], {
			boundary: async (turn) => (boundaries.push(turn) === 2 ? [said("And then?")] : []),
		});
		expect(boundaries).toEqual([1, 1, 2, 2]);
		expect(requests[1]?.messages.slice(1)).toEqual([
			{ role: "assistant", text: "Seven.", toolCalls: [] },
			said("And then?"),
		]);
		expect(outcome).toEqual({ kind: "finished", text: "Eight." });
	});

	it("does not go on after an answer that was cut off", async () => {
		const { outcome } = await runLoop([{ text: "Sev", finish: "length" }], {
			boundary: async (turn) => (turn > 1 ? [said("And then?")] : []),
		});
		expect(outcome.kind).toBe("partial");
	});
});

describe("a run that goes in circles", () => {
	it("is told at the third turn of the same calls with the same results, and ends partial at the sixth", async () => {
		const { outcome, requests, events } = await runLoop(
			always({ text: "Again.", calls: [aCall("1", { input: { path: "a" } })] }),
			{ runTool: async () => ({ text: "nothing", isError: false }) },
		);
		expect(requests).toHaveLength(6);
		expect(nudgesIn(events)).toEqual([nudges.repeatedCalls]);
		expect(lastText(requests[3])).toBe(nudges.repeatedCalls);
		expect(outcome).toEqual({
			kind: "partial",
			text: "Again.",
			reason: "It made the same calls with the same results 6 times in a row.",
		});
	});

	it.for<[string, (turn: number) => ToolCall, (turn: number) => string]>([
		["other input", (turn) => aCall("1", { input: { turn } }), () => "nothing"],
		["other results", () => aCall("1"), (turn) => `result ${turn}`],
		["now and then something else", (turn) => aCall("1", { input: { odd: turn % 3 === 2 } }), () => "nothing"],
		["shell_status, to wait for a command", () => aCall("1", { toolName: "shell_status" }), () => "running"],
		["shell_status, however it is spelled", () => aCall("1", { toolName: "Shell_Status" }), () => "running"],
		["sessions_list, to wait for others", () => aCall("1", { toolName: "sessions_list" }), () => "running"],
	])("is no such run with %s", async ([, call, result]) => {
		let turn = 0;
		const replies = function* () {
			for (; turn < 10; turn++) yield { calls: [call(turn)] };
			yield { text: "Done." };
		};
		const { outcome, events } = await runLoop(replies(), {
			runTool: async () => ({ text: result(turn), isError: false }),
		});
		expect(outcome).toEqual({ kind: "finished", text: "Done." });
		expect(nudgesIn(events)).toEqual([]);
	});

	it("is told again after it has done something else", async () => {
		const same = { calls: [aCall("1")] };
		const other = { calls: [aCall("2", { input: { other: true } })] };
		const { events } = await runLoop([same, same, same, other, same, same, same, { text: "Done." }]);
		expect(nudgesIn(events)).toEqual([nudges.repeatedCalls, nudges.repeatedCalls]);
	});
});

describe("a run that uses up its turns", () => {
	const busy = function* () {
		for (let turn = 1; ; turn++) yield { text: `Step ${turn}.`, calls: [aCall(String(turn), { input: { turn } })] };
	};

	it("is told when two are left, then writes a final answer without tools, and ends partial", async () => {
		const { outcome, requests, events, executed } = await runLoop(busy(), { maxTurns: 5 });
		expect(nudgesIn(events)).toEqual([nudges.nearTheEnd, nudges.finalAnswer(5)]);
		expect(lastText(requests[3])).toBe(nudges.nearTheEnd);
		expect(requests.map(({ toolChoice }) => toolChoice)).toEqual(["auto", "auto", "auto", "auto", "auto", "none"]);
		expect(requests[5]?.tools).toEqual(requests[0]?.tools);
		// It called once more although it was not to; that call is not run.
		expect(executed).toHaveLength(5);
		expect(outcome).toEqual({ kind: "partial", text: "Step 6.", reason: "It used all of its 5 turns." });
	});

	it("keeps its last words when its final answer is empty, and is not told early when it has few turns", async () => {
		const replies = [{ text: "Step 1.", calls: [aCall("1")] }, { text: " " }];
		const { outcome, events } = await runLoop(replies, { maxTurns: 1 });
		expect(nudgesIn(events)).toEqual([nudges.finalAnswer(1)]);
		expect(outcome).toMatchObject({ kind: "partial", text: "Step 1." });
	});
});
