/** The provider fault matrix (research/reliability-and-security.md §2.4) over HTTP: what goes wrong, and what it comes to. */
import type { ModelErrorKind } from "../../../../src/core/models/modelPort.ts";
import { isFinishEvent, type ScriptedReply, speak, type Speech, type SpokenWire } from "../../../fakes/modelServer.ts";
import { canaryKey, wires } from "./askWire.ts";

/** What a server does instead of answering, and what it comes to at the port. */
export interface Fault {
	readonly reply: (wire: SpokenWire) => ScriptedReply;
	readonly kind: ModelErrorKind;
	readonly retryable: boolean;
	readonly statusCode?: number;
	readonly retryAfterMs?: number;
	readonly message?: RegExp;
	readonly only?: SpokenWire;
}

const json = { "content-type": "application/json" };
const complaint =
	(status: number, error: object | string, headers: Record<string, string> = {}) =>
	(): ScriptedReply => ({
		status,
		headers: { ...json, ...headers },
		body: [JSON.stringify({ type: "error", error })],
	});
const limited = (headers: Record<string, string>, retryAfterMs?: number): Fault => ({
	reply: complaint(429, { type: "rate_limit_error", message: "slow down" }, headers),
	kind: "rate-limit",
	retryable: true,
	statusCode: 429,
	...(retryAfterMs !== undefined && { retryAfterMs }),
});
const date = "Tue, 03 Mar 2026 10:00:00 GMT";
const overloaded = (status: number): Fault => ({
	reply: complaint(status, { message: "busy; your context window and billing are fine" }, { "retry-after": "2" }),
	kind: "overload",
	retryable: true,
	statusCode: status,
	retryAfterMs: 2000,
});
const overflow = (message: string, code = "invalid_request_error"): Fault => ({
	reply: complaint(400, { type: "invalid_request_error", code, message }),
	kind: "context-overflow",
	retryable: false,
	statusCode: 400,
});
export const spoken: Speech = {
	text: ["One ", "two"],
	calls: [{ id: "a", name: "write", pieces: ['{"path":', '"a"}'] }],
};
/** The stream until before the last event that has this text. */
const until = (wire: SpokenWire, sign: RegExp, offset = 0) => {
	const events = speak(wire, spoken);
	return events.slice(0, events.findIndex((event) => sign.test(event)) + offset);
};
const broken = { kind: "protocol", retryable: true } as const;
const cut = { kind: "network", retryable: true } as const;
const inStream = (error: unknown) => (wire: SpokenWire) => ({
	body: [...until(wire, /two/u), `data: ${JSON.stringify(error)}\n\n`],
});

const faults: Readonly<Record<string, Fault>> = {
	"a reset before the headers": { reply: () => ({ before: "cut" }), ...cut },
	"401": {
		reply: complaint(401, {
			type: "authentication_error",
			message: `Wrong key ${canaryKey} (${encodeURIComponent(canaryKey)})`,
		}),
		kind: "auth",
		retryable: false,
		statusCode: 401,
		message: /^Wrong key \[secret\] \(\[secret\]\)$/u,
	},
	"403": { reply: complaint(403, { message: "No" }), kind: "auth", retryable: false, statusCode: 403 },
	"402": { reply: complaint(402, { message: "Pay" }), kind: "quota", retryable: false, statusCode: 402 },
	"429 for money": {
		reply: complaint(429, {
			type: "insufficient_quota",
			code: "insufficient_quota",
			message: "You exceeded your quota",
		}),
		kind: "quota",
		retryable: false,
		statusCode: 429,
	},
	"400 for money": {
		reply: complaint(400, {
			type: "invalid_request_error",
			message: "Your credit balance is too low to access the API",
		}),
		kind: "quota",
		retryable: false,
	},
	"404": {
		reply: complaint(404, { type: "not_found_error", message: "model: x" }),
		kind: "not-found",
		retryable: false,
		statusCode: 404,
	},
	"an unknown model as 400": {
		reply: complaint(400, { code: "model_not_found", message: "?" }),
		kind: "not-found",
		retryable: false,
	},
	"400": {
		reply: complaint(400, { message: "tools.0: bad" }),
		kind: "bad-request",
		retryable: false,
		message: /^tools\.0: bad$/u,
	},
	"400 without words": {
		reply: () => ({ status: 400 }),
		kind: "bad-request",
		retryable: false,
		message: /^HTTP 400$/u,
	},
	"a filtered prompt": {
		reply: complaint(400, { code: "content_filter", message: "?" }),
		kind: "content-filter",
		retryable: false,
	},
	"a redirect": {
		reply: () => ({ status: 307, headers: { location: "https://evil.example/v1/chat?x=1" } }),
		kind: "bad-request",
		retryable: false,
		statusCode: 307,
		message: /redirects to https:\/\/evil\.example \(HTTP 307\)/u,
	},
	"429 with seconds": limited({ "retry-after": "7" }, 7000),
	"429 with milliseconds": limited({ "retry-after-ms": "1500", "retry-after": "9" }, 1500),
	"429 with a date": limited({ date, "retry-after": "Tue, 03 Mar 2026 10:00:30 GMT" }, 30_000),
	"429 with a date that is over": limited({ date, "retry-after": "Tue, 03 Mar 2026 09:00:00 GMT" }, 0),
	"429 with a negative time": limited({ "retry-after": "-5" }, 0),
	"429 with an absurd time": limited({ "retry-after": "1000000000" }, 86_400_000),
	"429 with nonsense": limited({ "retry-after": "soon" }),
	"429 without a time": limited({}),
	"429 with OpenAI's limits": limited(
		{
			"x-ratelimit-remaining-requests": "0",
			"x-ratelimit-reset-requests": "1m2.5s",
			"x-ratelimit-remaining-tokens": "9",
			"x-ratelimit-reset-tokens": "9h",
		},
		62_500,
	),
	"429 with Anthropic's limits": limited(
		{ date, "anthropic-ratelimit-tokens-remaining": "0", "anthropic-ratelimit-tokens-reset": "2026-03-03T10:00:12Z" },
		12_000,
	),
	"500": overloaded(500),
	"502": overloaded(502),
	"503": overloaded(503),
	"504": overloaded(504),
	"529": overloaded(529),
	"502 with a page": {
		reply: () => ({
			status: 502,
			headers: { "content-type": "text/html" },
			body: ["<html><head><title>Bad Gateway</title></head>"],
		}),
		kind: "overload",
		retryable: true,
		message: /^Bad Gateway$/u,
	},
	"an error body without an end": {
		reply: () => ({ status: 500, body: ["x".repeat(100_000)], ending: "hang" }),
		kind: "overload",
		retryable: true,
	},
	"an error body that is cut": {
		reply: () => ({ status: 401, body: ['{"error":'], ending: "cut" }),
		kind: "auth",
		retryable: false,
	},
	"a page": {
		reply: () => ({ headers: { "content-type": "text/html" }, body: ["<!doctype html><p>Log in"] }),
		...broken,
		message: /web page/u,
	},
	"plain text": {
		reply: () => ({ headers: { "content-type": "text/plain" }, body: ["no healthy upstream"] }),
		...broken,
		message: /no healthy upstream/u,
	},
	"an empty body": { reply: () => ({}), ...broken, message: /empty/u },
	"JSON of something else": { reply: () => ({ headers: json, body: ['{"hello":1}'] }), ...broken },
	"cut JSON": { reply: () => ({ headers: json, body: ['{"choices":['] }), ...broken },
	"comments and nothing else": { reply: () => ({ body: [": keep-alive\n\n", ": keep-alive\n\n"] }), ...broken },
	"a broken line": {
		reply: (wire) => ({ body: [...until(wire, /two/u), 'data: {"type": oops\n\n', ...speak(wire, spoken)] }),
		...broken,
	},
	"a line with the key in it": {
		reply: () => ({ body: [`data: ${canaryKey}\n\n`] }),
		...broken,
		message: /\[secret\]/u,
	},
	"an endless line": {
		reply: () => ({ body: [`data: ${"x".repeat(17 * 1024 * 1024)}`] }),
		kind: "protocol",
		retryable: false,
	},
	"a cut before the first byte": { reply: () => ({ ending: "cut" }), ...cut },
	"a cut in the text": { reply: (wire) => ({ body: until(wire, /two/u), ending: "cut" }), ...cut },
	"a clean end in the text": { reply: (wire) => ({ body: until(wire, /two/u) }), ...cut },
	"a cut inside a call's input": { reply: (wire) => ({ body: until(wire, /\\"path\\":/u, 1), ending: "cut" }), ...cut },
	"a cut after a call": {
		reply: (wire) => ({
			body: speak(wire, spoken).slice(
				0,
				speak(wire, spoken).findIndex((event) => isFinishEvent(wire, event)),
			),
			ending: "cut",
		}),
		...cut,
	},
	"{error} with 200": {
		reply: () => ({ headers: json, body: ['{"error":{"message":"Boom","code":502}}'] }),
		kind: "overload",
		retryable: true,
		statusCode: 502,
	},
	"a bare error with 200": {
		reply: () => ({ headers: json, body: ['{"error":"model crashed"}'] }),
		kind: "unknown",
		retryable: true,
		message: /^model crashed$/u,
	},
	"an overload in the stream": {
		reply: inStream({ type: "error", error: { type: "overloaded_error", message: "Overloaded" } }),
		kind: "overload",
		retryable: true,
	},
	"an overflow in the stream": {
		reply: inStream({ error: { code: "context_length_exceeded", message: "?" } }),
		kind: "context-overflow",
		retryable: false,
	},
	"an error in the stream that echoes the key": {
		reply: inStream({ error: { message: `${"y".repeat(480)} ${canaryKey}` } }),
		kind: "unknown",
		retryable: true,
	},
	"OpenAI's error event": {
		reply: inStream({ type: "error", code: "server_error", message: `x ${canaryKey}` }),
		kind: "overload",
		retryable: true,
		only: "responses",
	},
	"a failed response": {
		reply: inStream({
			type: "response.failed",
			response: { status: "failed", error: { code: "rate_limit_exceeded", message: "?" } },
		}),
		kind: "rate-limit",
		retryable: true,
		only: "responses",
	},
	"a failed choice": {
		reply: inStream({ choices: [{ error: { code: 503, message: "?" }, finish_reason: "error" }] }),
		kind: "overload",
		retryable: true,
		only: "chat",
	},
	"OpenAI's overflow": overflow("?", "context_length_exceeded"),
	"Anthropic's overflow": overflow("prompt is too long: 210000 tokens > 200000 maximum"),
	"llama.cpp's overflow": overflow("the request exceeds the available context size"),
	"413": {
		reply: complaint(413, { type: "request_too_large", message: "?" }),
		kind: "context-overflow",
		retryable: false,
		statusCode: 413,
	},
};

/** Each fault in each dialect. */
export const faultCells = Object.entries(faults).flatMap(([name, fault]) =>
	wires.filter((wire) => (fault.only ?? wire) === wire).map((wire) => ({ name, wire, fault })),
);
