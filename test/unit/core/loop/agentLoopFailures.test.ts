import { describe, expect, it } from "vitest";
import { nudges } from "../../../../src/core/loop/nudges.ts";
import type { FinishReason, ModelError } from "../../../../src/core/models/modelPort.ts";
import { aCall, lastText, nudgesIn, runLoop, said } from "./aLoop.ts";

describe("an empty answer", () => {
	it("is asked for once more, and the second in a row fails", async () => {
		const { outcome, events, requests } = await runLoop([{ text: " \n" }, { text: "" }]);
		expect(nudgesIn(events)).toEqual([nudges.emptyAnswer]);
		expect(lastText(requests[1])).toBe(nudges.emptyAnswer);
		expect(outcome).toEqual({ kind: "failed", message: "The model ended without an answer." });
	});

	it("is forgiven again once the model has done something in between", async () => {
		const { outcome, events } = await runLoop([
			{ text: "" },
			{ calls: [aCall("1")] },
			{ text: "" },
			{ text: "Seven." },
		]);
		expect(nudgesIn(events)).toHaveLength(2);
		expect(outcome).toEqual({ kind: "finished", text: "Seven." });
	});
});

describe("an empty answer after a whole one", () => {
	it("is asked for once more as well: the streak is over", async () => {
		const followUps = [[], [], [said("And now?")], [], [], []];
		const { outcome, events } = await runLoop([{ text: "" }, { text: "Six." }, { text: "" }, { text: "Seven." }], {
			boundary: () => Promise.resolve(followUps.shift() ?? []),
		});
		expect(nudgesIn(events)).toHaveLength(2);
		expect(outcome).toEqual({ kind: "finished", text: "Seven." });
	});
});

describe("an answer that was cut off", () => {
	it.for<[FinishReason, string, string]>([
		["length", "The answer was cut off at the model's output limit.", "output limit before it said anything"],
		["content-filter", "The provider's filter cut the answer off.", "filter withheld the answer"],
	])("by %s is partial with text and fails without", async ([finish, reason, message]) => {
		expect((await runLoop([{ text: "Sev", finish }])).outcome).toEqual({ kind: "partial", text: "Sev", reason });
		const { outcome, events } = await runLoop([{ text: "", finish }]);
		expect(outcome).toEqual({ kind: "failed", message: expect.stringContaining(message) });
		expect(nudgesIn(events)).toEqual([]);
	});
});

describe("a turn that fails", () => {
	const overload: ModelError = { kind: "overload", message: "busy", retryable: true };

	it("is withdrawn and asked again after the back-off, with the same messages", async () => {
		const attempts: unknown[] = [];
		const { outcome, events, waits, requests, usage } = await runLoop(
			[{ text: "Half of", error: overload }, { error: overload }, { text: "Seven." }],
			{
				retryDelay(error, attempt) {
					attempts.push([error, attempt]);
					return attempt * 1_000;
				},
			},
		);
		expect(outcome).toEqual({ kind: "finished", text: "Seven." });
		expect(attempts).toEqual([
			[overload, 1],
			[overload, 2],
		]);
		expect(waits).toEqual([1_000, 2_000]);
		expect(events.filter(({ type }) => type === "turn-withdrawn")).toEqual([
			{ type: "turn-withdrawn", turn: 1, error: overload, attempt: 1, delayMs: 1_000 },
			{ type: "turn-withdrawn", turn: 1, error: overload, attempt: 2, delayMs: 2_000 },
		]);
		expect(requests[2]?.messages).toEqual(requests[0]?.messages);
		// What was used for nothing was used all the same.
		expect(usage.inputTokens).toBe(300);
	});

	it("runs none of the calls that it made before it failed", async () => {
		const { executed, outcome } = await runLoop([{ calls: [aCall("1")], error: overload }, { text: "Seven." }], {
			retryDelay: () => 1,
		});
		expect(executed).toEqual([]);
		expect(outcome.kind).toBe("finished");
	});

	it("waits as long as the provider asks", async () => {
		const error = { ...overload, retryAfterMs: 90_000 };
		const { waits } = await runLoop([{ error }, { text: "Seven." }], {
			retryDelay: ({ retryAfterMs }) => retryAfterMs ?? null,
		});
		expect(waits).toEqual([90_000]);
	});

	it("fails with the provider's words when asking again is of no use", async () => {
		const { outcome, events } = await runLoop([{ text: "Half", error: { message: "no such model" } }]);
		expect(outcome).toEqual({ kind: "failed", message: "no such model" });
		expect(events.map(({ type }) => type)).not.toContain("turn-withdrawn");
	});

	it("counts its attempts anew in the next turn", async () => {
		const attempts: number[] = [];
		await runLoop([{ error: overload }, { calls: [aCall("1")] }, { error: overload }, { text: "Seven." }], {
			retryDelay: (_error, attempt) => attempts.push(attempt),
		});
		expect(attempts).toEqual([1, 1]);
	});
});

describe("a stop", () => {
	it("in the middle of an answer ends at once, even when the model does not listen", async () => {
		const controller = new AbortController();
		const deaf = { text: "Half of", calls: [aCall("1")], during: () => new Promise<void>(() => controller.abort()) };
		const { outcome, executed, events } = await runLoop([deaf], { signal: controller.signal });
		expect(outcome).toEqual({ kind: "stopped", text: "Half of" });
		expect(executed).toEqual([]);
		expect(events.at(-1)?.type).toBe("turn-ended");
	});

	it("in the middle of a tool keeps that tool's result and asks no more", async () => {
		const controller = new AbortController();
		const { outcome, requests, events } = await runLoop([{ calls: [aCall("1")] }], {
			signal: controller.signal,
			async runTool(_call, signal) {
				controller.abort();
				return { text: `stopped ${signal.aborted}`, isError: true };
			},
		});
		expect(outcome).toEqual({ kind: "stopped", text: "" });
		expect(requests).toHaveLength(1);
		expect(events.at(-1)).toMatchObject({ type: "tool-returned", result: { text: "stopped true" } });
	});

	it("while it waits to ask again ends without asking", async () => {
		const controller = new AbortController();
		const { outcome, requests } = await runLoop([{ error: { retryable: true } }], {
			signal: controller.signal,
			retryDelay: () => 60_000,
			wait: async () => controller.abort(),
		});
		expect(outcome).toEqual({ kind: "stopped", text: "" });
		expect(requests).toHaveLength(1);
	});

	it("at a boundary ends before anything is asked", async () => {
		const controller = new AbortController();
		const { outcome, executed } = await runLoop([{ calls: [aCall("1")] }], {
			signal: controller.signal,
			async boundary() {
				controller.abort();
				return [];
			},
		});
		expect(outcome).toEqual({ kind: "stopped", text: "" });
		expect(executed).toEqual([]);
	});
});
