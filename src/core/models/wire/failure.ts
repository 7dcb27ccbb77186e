import type { IncomingHttpHeaders } from "node:http";
import type { ModelError, ModelErrorKind } from "../modelPort.ts";
import { isJson, type Json, listOf, textOf } from "./json.ts";
import { readRetryAfter, readRetryDelay } from "./retryAfter.ts";

const longestMessage = 500;

/** What a server says has gone wrong: its status where it has one, and its words. */
interface Complaint {
	readonly status?: number;
	/** Its `code` and `type`, in small letters. */
	readonly codes: string;
	readonly message: string;
	/** Google says it in the body instead of in a header. */
	readonly retryAfterMs?: number;
}

/** The first rule that fits decides: money before rate, because both come as 429. */
const rules: readonly { readonly kind: ModelErrorKind; readonly status?: RegExp; readonly words: RegExp }[] = [
	{
		kind: "quota",
		status: /^402$/u,
		words:
			/insufficient_quota|billing|insufficient_(?:balance|credits|funds)|credit balance is too low|payment_required|requestsperday|tokensperday/u,
	},
	{
		kind: "context-overflow",
		status: /^413$/u,
		words:
			/context_length|context_window|request_too_large|prompt is too long|maximum context|context (?:length|window|size)|exceed_context|input is too long|too many input tokens|input token count/u,
	},
	{ kind: "rate-limit", status: /^429$/u, words: /rate_?limit|too_many_requests/u },
	{ kind: "content-filter", words: /content_filter|content_policy|responsible_ai/u },
	{
		kind: "auth",
		status: /^40[13]$/u,
		words: /invalid_api_key|api_key_invalid|authentication_error|permission_error|permission_denied|unauthorized/u,
	},
	{ kind: "not-found", status: /^404$/u, words: /not_found/u },
	{
		kind: "overload",
		// Amazon's 424: the model has failed in the middle of its answer.
		status: /^(?:424|5\d\d)$/u,
		words:
			/overloaded|server_error|api_error|service_unavailable|slow_down|timeout_error|server_is_overloaded|capacity_exceeded/u,
	},
	{ kind: "network", status: /^(?:408|409|425)$/u, words: /request_timeout/u },
	{ kind: "bad-request", status: /^4\d\d$/u, words: /invalid_request|invalid_prompt|bad_request/u },
];

const retryable: ReadonlySet<ModelErrorKind> = new Set(["rate-limit", "overload", "network"]);

/** An answer with a status that is no success. `body` may be anything. */
export function readHttpFailure(status: number, headers: IncomingHttpHeaders, body: string): ModelError {
	if (status >= 300 && status < 400) {
		const target = URL.canParse(headers.location ?? "") ? new URL(headers.location ?? "").origin : undefined;
		return {
			kind: "bad-request",
			message: `The server redirects${target === undefined ? "" : ` to ${target}`} (HTTP ${status}). Redirects are not followed, because the key belongs to one address; set the final address as base URL.`,
			retryable: false,
			statusCode: status,
		};
	}
	const complaint = readComplaint(parse(body), status);
	const kind = judge(complaint);
	const retryAfterMs = retryable.has(kind) ? (readRetryAfter(headers) ?? complaint.retryAfterMs) : undefined;
	return {
		kind,
		message: shorten(complaint.message || plainText(body), `HTTP ${status}`),
		retryable: retryable.has(kind),
		statusCode: status,
		...(retryAfterMs !== undefined && { retryAfterMs }),
	};
}

/** An error inside an answer that began as a success: `{error: …}`, or the error itself. */
export function readPayloadFailure(payload: Json): ModelError {
	const complaint = readComplaint(payload, undefined);
	const kind = judge(complaint);
	const { retryAfterMs } = complaint;
	return {
		kind,
		message: shorten(complaint.message || complaint.codes, "The server reports an error without words"),
		// What broke in the middle without a reason is the server's failure, and those pass.
		retryable: retryable.has(kind) || kind === "unknown",
		...(complaint.status !== undefined && { statusCode: complaint.status }),
		...(retryable.has(kind) && retryAfterMs !== undefined && { retryAfterMs }),
	};
}

function readComplaint(payload: unknown, status: number | undefined): Complaint {
	const outer = isJson(payload) ? payload : {};
	const error = outer["error"] ?? outer;
	if (typeof error === "string") return { codes: textOf(outer["code"]), message: error, ...(status && { status }) };
	const { code, type, status: name, message, details } = isJson(error) ? error : {};
	const ownStatus = status ?? (typeof code === "number" && code >= 400 && code < 600 ? code : undefined);
	const { reasons, retryAfterMs } = readDetails(details);
	return {
		codes: [code, type, name, ...reasons].map(textOf).filter(Boolean).join(" ").toLowerCase(),
		message: textOf(message) || textOf(outer["message"]) || textOf(outer["Message"]) || textOf(outer["detail"]),
		...(ownStatus !== undefined && { status: ownStatus }),
		...(retryAfterMs !== undefined && { retryAfterMs }),
	};
}

/** Google's `details`: a wrong key is a 400 there, and a day's quota a 429, and only these tell them apart. */
function readDetails(details: unknown): { readonly reasons: readonly unknown[]; readonly retryAfterMs?: number } {
	const list = listOf(details);
	const reasons = list.flatMap(({ reason, violations }) => [
		reason,
		...listOf(violations).map(({ quotaId }) => quotaId),
	]);
	const delays = list.flatMap(({ retryDelay }) => readRetryDelay(retryDelay) ?? []);
	return delays.length === 0 ? { reasons } : { reasons, retryAfterMs: Math.max(...delays) };
}

function judge({ status, codes, message }: Complaint): ModelErrorKind {
	const said = message.toLowerCase();
	// Free text decides only what no code tells apart; a word in it must not turn a 500 into something else.
	const hasWords = status === undefined || status < 500;
	const byWords = rules
		.slice(0, 2)
		.find(({ words }) => words.test(codes) || (hasWords && status !== 429 && words.test(said)));
	const rule =
		byWords ??
		rules.find((each) => status !== undefined && each.status?.test(String(status)) === true && !isVague(status)) ??
		rules.find(({ words }) => words.test(codes)) ??
		rules.find((each) => status !== undefined && each.status?.test(String(status)) === true);
	return rule?.kind ?? "unknown";
}

/** 400 and 422 say nothing that the code does not say better. */
const isVague = (status: number) => status === 400 || status === 422;

function parse(body: string): unknown {
	try {
		return JSON.parse(body);
	} catch {
		return undefined;
	}
}

/** The words of an HTML page or a plain text. */
function plainText(body: string): string {
	const title = /<title[^>]*>([^<]*)/iu.exec(body)?.[1];
	return (title ?? (body.trimStart().startsWith("<") ? "" : body)).replaceAll(/\s+/gu, " ").trim();
}

function shorten(message: string, fallback: string): string {
	const text = message.trim() || fallback;
	return text.length > longestMessage ? `${text.slice(0, longestMessage)}…` : text;
}
