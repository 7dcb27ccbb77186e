/** What the loop does about each fault of a provider, with the real adapters against a server of this machine. */
import { describe, expect, it, onTestFinished } from "vitest";
import { retryDelay } from "../../../../src/core/engine/retryDelay.ts";
import type { Model } from "../../../../src/core/models/modelPort.ts";
import { type ScriptedReply, speak, startModelServer, type SpokenWire } from "../../../fakes/modelServer.ts";
import { aProvider, canaryKey, wires } from "../models/askWire.ts";
import { faultCells } from "../models/faultCells.ts";
import { aCall, runLoop, runModel } from "./aLoop.ts";

/** Runs the loop, by the real rules for asking again, on a server that gives these replies and then the last one for ever. */
async function runOn(wire: SpokenWire, ...replies: readonly ScriptedReply[]) {
	const script = (_: unknown, index: number) => replies[Math.min(index, replies.length - 1)] ?? {};
	const server = await startModelServer({ script });
	onTestFinished(() => server.close());
	const model = aProvider({ wire, baseUrl: server.url }).model("gpt-test") as Model;
	return { ...(await runModel(model, { retryDelay })), requests: server.requests };
}

const answer = (wire: SpokenWire): ScriptedReply => ({ body: speak(wire, { text: ["Seven."] }) });

describe("a turn with a fault that may pass", () => {
	it.each(faultCells.filter(({ fault }) => fault.retryable))(
		"is withdrawn, runs no call of its own and is asked again as it was: $name in the dialect $wire",
		async ({ wire, fault }) => {
			const { outcome, executed, events, waits, requests } = await runOn(wire, fault.reply(wire), answer(wire));
			expect(outcome).toEqual({ kind: "finished", text: "Seven." });
			expect(executed).toEqual([]);
			expect(events.filter(({ type }) => type === "turn-withdrawn")).toHaveLength(1);
			expect(requests).toHaveLength(2);
			expect(requests[1]?.body).toEqual(requests[0]?.body);
			expect(waits).toHaveLength(1);
			expect(fault.retryAfterMs ?? waits[0]).toBe(waits[0]);
		},
	);

	it.each(wires)("is asked for six times in all in the dialect %s, and once more where nonsense came", async (wire) => {
		const busy = await runOn(wire, { status: 503 });
		expect([busy.outcome.kind, busy.requests.length, busy.waits.length]).toEqual(["failed", 6, 5]);
		expect(busy.events.filter(({ type }) => type === "turn-failed")).toMatchObject([{ attempt: 6 }]);
		const page = await runOn(wire, { headers: { "content-type": "text/html" }, body: ["<!doctype html><p>Log in"] });
		expect([page.outcome.kind, page.requests.length, page.waits.length]).toEqual(["failed", 2, 1]);
	});
});

describe("a turn with a fault that stays", () => {
	it.each(faultCells.filter(({ fault }) => !fault.retryable))(
		"ends the run in the provider's words, and is not asked for again: $name in the dialect $wire",
		async ({ wire, fault }) => {
			const { outcome, executed, waits, requests } = await runOn(wire, fault.reply(wire), answer(wire));
			const message: unknown = expect.stringMatching(fault.message ?? /./u);
			expect(outcome).toEqual({ kind: "failed", message, failure: fault.kind });
			expect(JSON.stringify(outcome)).not.toContain(canaryKey);
			expect([executed, waits, requests.length]).toEqual([[], [], 1]);
		},
	);
});

describe("an answer with more than 32 calls", () => {
	it.each(wires)(
		"has the first 32 run, and says of each other one that it was not, in the dialect %s",
		async (wire) => {
			const calls = Array.from({ length: 500 }, (_, index) => ({ id: `c${index}`, name: "look", pieces: ["{}"] }));
			const { outcome, executed, events } = await runOn(wire, { body: speak(wire, { calls }) }, answer(wire));
			expect(outcome.kind).toBe("finished");
			expect(executed.map(({ toolCallId }) => toolCallId)).toEqual(calls.slice(0, 32).map(({ id }) => id));
			const results = events.filter((event) => event.type === "tool-returned");
			expect(results.map(({ call }) => call.toolCallId)).toEqual(calls.map(({ id }) => id));
			expect(results[31]?.result.isError).toBe(false);
			expect(results[32]?.result).toEqual({ text: expect.stringContaining("at most 32 calls"), isError: true });
		},
	);

	it("runs all of them where there are 32", async () => {
		const calls = Array.from({ length: 32 }, (_, index) => aCall(`${index}`));
		expect((await runLoop([{ calls }, { text: "Seven." }])).executed).toHaveLength(32);
	});
});
