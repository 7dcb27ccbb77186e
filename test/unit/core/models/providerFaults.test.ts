/**
 * The provider fault matrix (research/reliability-and-security.md §2.4). Over HTTP each fault is a row of faultCells.ts and
 * generated in each dialect: here what the adapter makes of it, in loop/faultyTurns what the loop does then. Google's are
 * in googleFailures. For VS Code's own models they are rows of shell/lmFaults.
 *
 * | cell                                | HTTP                                            | VS Code's models               |
 * | ----------------------------------- | ----------------------------------------------- | ------------------------------ |
 * | unknown host, refused, reset        | here, loop/faultyTurns                          | shell/lmFaults, by its words   |
 * | TLS                                 | httpProvider: "with https where plain http …"   | -                              |
 * | back-off, at most five more         | loop/faultyTurns; engine/retryDelay             | the same loop                  |
 * | 401, 403, a key that is echoed      | here, loop/faultyTurns; shell/runNotifier       | shell/lmFaults                 |
 * | 402, a quota, `Blocked`             | here, loop/faultyTurns; flows/usedUpQuota       | shell/lmFaults                 |
 * | 404, `NotFound`                     | here, loop/faultyTurns                          | shell/lmFaults                 |
 * | 429 with every retry-after          | here, loop/faultyTurns; flows/providerPause     | shell/lmFaults, without a time |
 * | 500 to 529                          | here, loop/faultyTurns                          | shell/lmFaults                 |
 * | circuit breaker                     | engine/circuitBreaker; flows/providerPause      | the same                       |
 * | a page, a wrong type, an empty body | here; asked once more: loop/faultyTurns         | -                              |
 * | a cut, wherever                     | here, loop/faultyTurns; chunkBoundaries         | shell/lmFaults                 |
 * | a stall, comments only              | flows/stalls                                    | flows/stalls                   |
 * | a drip                              | here; flows/silence: "but works on the input …" | flows/silence                  |
 * | odd events, lines and characters    | here; chunkBoundaries, wireAnswers              | -                              |
 * | odd calls                           | here; loop/faultyTurns: "32 calls"              | shell/lmFaults                 |
 * | overflow                            | here; flows/compaction                          | shell/lmFaults                 |
 * | refused, filtered, empty, too long  | here; loop/agentLoopFailures                    | shell/lmFaults                 |
 * | the list of models changes          | -                                               | shell/lmFaults                 |
 * | stopped before the first byte       | httpProvider                                    | shell/lmStream                 |
 * | a time to retry that is over        | here                                            | -                              |
 *
 * Decided otherwise by the specification: no other model is taken (§4); the back-off is up to a minute, a fifth more or
 * less, and one over five seconds gives the slot back (§15).
 */
import { describe, expect, it } from "vitest";
import { isFinishEvent, type ScriptedReply, speak } from "../../../fakes/modelServer.ts";
import { askProvider, askWire, callsIn, errorIn, finishOf, textIn, canaryKey, wires } from "./askWire.ts";
import { faultCells, spoken } from "./faultCells.ts";

describe("A fault of the provider", () => {
	it.each(faultCells)("is an error part and a finish: $name in the dialect $wire", async ({ wire, fault }) => {
		const { parts, requests } = await askWire(wire, fault.reply(wire));
		const { reply: _, only: __, message = /./u, ...expected } = fault;
		const error = errorIn(parts);
		expect(error).toMatchObject(expected);
		expect(error?.message).toMatch(message);
		expect(error?.message.length).toBeLessThan(600);
		expect(error?.message).not.toContain(canaryKey.slice(0, 12));
		expect(error?.retryAfterMs).toBe(fault.retryAfterMs);
		expect(parts.filter(({ type }) => type === "error")).toHaveLength(1);
		expect(finishOf(parts)?.finishReason).toBe("error");
		expect(callsIn(parts)).toEqual([]);
		expect(requests).toHaveLength(1);
	});

	it.each(wires)("before the model began costs nothing in the dialect %s", async (wire) => {
		const { parts } = await askWire(wire, { status: 503 });
		expect(finishOf(parts)?.usage).toMatchObject({ inputTokens: { total: 0 }, usd: 0, isEstimate: false });
	});

	it.each([
		["nothing listens", "http://127.0.0.1:1/v1", true],
		["the host is unknown", "https://nowhere.invalid/v1", true],
	])("is a network failure when %s", async (_, baseUrl, retryable) => {
		expect(errorIn(await askProvider({ baseUrl }))).toMatchObject({ kind: "network", retryable });
	});
});

describe.each(wires)("In the dialect %s", (wire) => {
	const ask = async (reply: ScriptedReply) => (await askWire(wire, reply)).parts;
	const calling = async (...inputs: string[]) =>
		callsIn(
			await ask({
				body: speak(wire, { calls: inputs.map((input, index) => ({ id: `c${index}`, name: "t", pieces: [input] })) }),
			}),
		);

	it("a stream that is cut after its finish reason is whole", async () => {
		const events = speak(wire, spoken);
		const end = events.findIndex((event) => isFinishEvent(wire, event)) + 1;
		const parts = await ask({ body: events.slice(0, end), ending: "cut" });
		expect(errorIn(parts)).toBeUndefined();
		expect(callsIn(parts)).toHaveLength(1);
		expect(finishOf(parts)?.finishReason).toBe("tool-calls");
	});

	it("an answer is complete although the server never closes", async () => {
		const parts = await ask({ body: speak(wire, spoken), ending: "hang" });
		expect(finishOf(parts)?.finishReason).toBe("tool-calls");
	});

	it("a slow answer in small pieces is whole", async () => {
		const parts = await ask({
			body: [...speak(wire, spoken).join("")].flatMap((_, at, all) =>
				at % 97 === 0 ? [all.slice(at, at + 97).join("")] : [],
			),
			paceMs: 1,
		});
		expect(textIn(parts)).toBe("One two");
	});

	it("comments are no sign of a model at work", async () => {
		let progress = 0;
		const comments = Array.from({ length: 20 }, () => ": keep-alive\n\n");
		const body = [...comments, ...speak(wire, { text: ["Two"] }).flatMap((event) => [event, ...comments])];
		const { parts } = await askWire(wire, { body }, { onProgress: () => (progress += 1) });
		expect(parts.filter(({ type }) => type === "text-delta")).toHaveLength(1);
		expect(progress).toBe(0);
	});

	it.each(["[1]", "null", '"x"', "12", '{"a":', "not json", '{"a":1}{"b":2}'])(
		"the input %s is told as no object and never guessed",
		async (input) => {
			const [call] = await calling(input);
			expect(call).toMatchObject({ toolName: "t", input: {} });
			expect(call?.inputError).toMatch(/./u);
		},
	);

	it("keys such as __proto__ are only keys", async () => {
		const [call] = await calling('{"__proto__":{"x":1},"a":1}');
		expect(Object.keys(call?.input as object)).toEqual(["__proto__", "a"]);
		expect(call?.input).not.toHaveProperty("x");
	});

	it("an input of 2 MB and 500 calls at once are read", async () => {
		const [large] = await calling(JSON.stringify({ text: "x".repeat(2_000_000) }));
		expect(JSON.stringify(large?.input)).toHaveLength(2_000_011);
		expect(await calling(...Array.from({ length: 500 }, () => "{}"))).toHaveLength(500);
	});

	it("a call without input is an empty object, unless the answer was cut by its length", async () => {
		const calls = [{ id: "a", name: "t", pieces: [] }];
		const whole = callsIn(await ask({ body: speak(wire, { calls }) }));
		expect(whole).toEqual([{ type: "tool-call", toolCallId: "a", toolName: "t", input: {} }]);
		const cutInput = [{ id: "a", name: "t", pieces: ['{"a":"b'] }];
		const parts = await ask({ body: speak(wire, { calls: cutInput, finish: "length" }) });
		expect(finishOf(parts)?.finishReason).toBe("length");
		expect(callsIn(parts)[0]?.inputError).toMatch(/cut/u);
	});

	it("an empty answer is no failure of the adapter", async () => {
		const parts = await ask({ body: speak(wire, {}) });
		expect(parts.map(({ type }) => type)).toEqual(["response-metadata", "finish"]);
		expect(finishOf(parts)?.finishReason).toBe("stop");
	});
});
