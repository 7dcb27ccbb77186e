/** How Google's failures come to the port, against a server that fails as Gemini does. */
import { describe, expect, it } from "vitest";
import { geminiDetails, geminiFailure, speakGemini } from "../../../fakes/geminiSpeech.ts";
import type { ScriptedReply } from "../../../fakes/modelServer.ts";
import { askGoogle as ask } from "./askGoogle.ts";
import { callsIn, canaryKey, errorIn, finishOf } from "./askWire.ts";

describe("A failure of Google's", () => {
	const json = { "content-type": "application/json" };
	const failing = (code: number, status: string, message: string, details: readonly object[] = []): ScriptedReply => ({
		status: code,
		headers: json,
		body: [geminiFailure(code, status, message, details)],
	});
	const exhausted = "You exceeded your current quota, please check your plan and billing details.";
	const cut = speakGemini({ text: ["One ", "two"] });

	it.each([
		[
			"a wrong key, which it echoes, is about the key",
			failing(400, "INVALID_ARGUMENT", `API key not valid: ${canaryKey}`, [geminiDetails.wrongKey]),
			{ kind: "auth", retryable: false, statusCode: 400, message: "API key not valid: [secret]" },
		],
		[
			"a limit says in its body how long to wait",
			failing(429, "RESOURCE_EXHAUSTED", exhausted, [geminiDetails.retryIn("34.5s")]),
			{ kind: "rate-limit", retryable: true, statusCode: 429, retryAfterMs: 34_500, message: exhausted },
		],
		[
			"a day's quota is not tried again",
			failing(429, "RESOURCE_EXHAUSTED", exhausted, [
				geminiDetails.quota("GenerateRequestsPerDayPerProjectPerModel-FreeTier"),
				geminiDetails.retryIn("3s"),
			]),
			{ kind: "quota", retryable: false, statusCode: 429 },
		],
		[
			"its own trouble passes",
			failing(500, "INTERNAL", "Internal error"),
			{ kind: "overload", retryable: true, statusCode: 500 },
		],
		[
			"a conversation that is too long is known as such",
			failing(400, "INVALID_ARGUMENT", "The input token count (9) exceeds the maximum number of tokens allowed (8)."),
			{ kind: "context-overflow", retryable: false },
		],
		[
			"an unknown model is not found",
			failing(404, "NOT_FOUND", "models/x is not found"),
			{ kind: "not-found", retryable: false },
		],
		[
			"a redirect is not followed",
			{ status: 307, headers: { location: "https://evil.example/x" } },
			{ kind: "bad-request", retryable: false, statusCode: 307 },
		],
		["a reset before the headers is the network's", { before: "cut" }, { kind: "network", retryable: true }],
		["a cut stream is one too", { body: cut.slice(0, 1), ending: "cut" }, { kind: "network", retryable: true }],
		["so is a stream that ends without a reason", { body: cut.slice(0, 1) }, { kind: "network", retryable: true }],
		["an empty answer is none", { body: [] }, { kind: "protocol", retryable: true, message: "The answer is empty." }],
		["a web page is none", { body: ["<html>"] }, { kind: "protocol", retryable: true }],
		["nonsense is none", { body: ["nonsense"] }, { kind: "protocol", retryable: true }],
		["an event that is no JSON is none", { body: [...cut.slice(0, 1), "data: {broken\n\n"] }, { retryable: true }],
		[
			"in the stream is read with its details",
			{
				body: [
					...cut.slice(0, 1),
					`data: ${JSON.stringify(JSON.parse(geminiFailure(503, "UNAVAILABLE", `busy ${canaryKey}`, [geminiDetails.retryIn("2s")])))}\n\n`,
				],
			},
			{ kind: "overload", retryable: true, statusCode: 503, retryAfterMs: 2000, message: "busy [secret]" },
		],
		[
			"with a status of success is one",
			{ headers: json, body: [geminiFailure(429, "RESOURCE_EXHAUSTED", "slow down")] },
			{ kind: "rate-limit", retryable: true },
		],
	] as const)("that is %s", async (_, reply, expected) => {
		const { parts } = await ask(reply);
		expect(errorIn(parts)).toMatchObject(expected);
		expect(finishOf(parts)?.finishReason).toBe("error");
		expect(callsIn(parts)).toEqual([]);
	});

	it("that is a malformed call may be tried again", async () => {
		const body = cut.map((event) => event.replace('"STOP"', '"MALFORMED_FUNCTION_CALL"'));
		const { parts } = await ask({ body });
		expect(errorIn(parts)).toMatchObject({
			retryable: true,
			message: expect.stringContaining("MALFORMED_FUNCTION_CALL"),
		});
	});

	it("that is a cut after the reason to stop is none", async () => {
		const { parts } = await ask({ body: cut, ending: "cut" });
		expect([errorIn(parts), finishOf(parts)?.finishReason]).toEqual([undefined, "stop"]);
	});

	it("that is a conversation no JSON can hold is told before anything is sent", async () => {
		const input: Record<string, unknown> = {};
		input["self"] = input;
		const toolCalls = [{ toolCallId: "a", toolName: "read_file", input }];
		const { parts, requests } = await ask({}, { messages: [{ role: "assistant", text: "", toolCalls }] });
		expect(errorIn(parts)).toMatchObject({ kind: "bad-request", retryable: false });
		expect(requests).toEqual([]);
	});
});
