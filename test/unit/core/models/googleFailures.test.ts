/** The failures that are Google's own; those that all vendors have are in `vendorFailures`. */
import { describe, expect, it } from "vitest";
import { geminiDetails, geminiFailure, speakGemini } from "../../../fakes/geminiSpeech.ts";
import type { ScriptedReply } from "../../../fakes/modelServer.ts";
import { askVendor } from "./askVendor.ts";
import { callsIn, canaryKey, errorIn, finishOf } from "./askWire.ts";

const ask = (reply: ScriptedReply) => askVendor("google", reply);

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
});
