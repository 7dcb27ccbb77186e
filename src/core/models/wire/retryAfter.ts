import type { IncomingHttpHeaders } from "node:http";
import { systemClock } from "../../ports/clock.ts";

const longestMs = 24 * 60 * 60 * 1000;

/** How long the server asks to wait: never negative, at most a day. `undefined` where it does not say. */
export function readRetryAfter(headers: IncomingHttpHeaders): number | undefined {
	const wanted =
		readNumber(headers["retry-after-ms"]) ??
		readDelay(headers["retry-after"], serverNow(headers)) ??
		longest(readExhausted(headers));
	return wanted === undefined ? undefined : bound(wanted);
}

/** `34.5s`, as Google writes it into the body of its errors. */
export function readRetryDelay(value: unknown): number | undefined {
	const wanted = typeof value === "string" ? readDuration(value) : undefined;
	return wanted === undefined ? undefined : bound(wanted);
}

const bound = (wanted: number) => Math.min(Math.max(Math.ceil(wanted), 0), longestMs);

/** A date is meant by the server's clock, and ours may be wrong. */
function serverNow({ date }: IncomingHttpHeaders): number {
	const now = Date.parse(date ?? "");
	return Number.isNaN(now) ? systemClock.now() : now;
}

function readNumber(value: unknown): number | undefined {
	if (typeof value !== "string" || !/^[+-]?\d+(?:\.\d+)?$/u.test(value.trim())) return undefined;
	return Number(value);
}

function readDelay(value: string | undefined, now: number): number | undefined {
	const seconds = readNumber(value);
	if (seconds !== undefined) return seconds * 1000;
	const date = Date.parse(value ?? "");
	return Number.isNaN(date) ? undefined : date - now;
}

/** `anthropic-ratelimit-tokens-remaining: 0` with `-reset: <date>`, `x-ratelimit-remaining-requests: 0` with `6m0s`. */
function readExhausted(headers: IncomingHttpHeaders): number[] {
	return Object.entries(headers).flatMap(([name, value]) => {
		if (!name.includes("ratelimit") || !name.includes("remaining") || readNumber(value) !== 0) return [];
		return readReset(headers[name.replace("remaining", "reset")], serverNow(headers)) ?? [];
	});
}

function readReset(value: unknown, now: number): number | undefined {
	if (typeof value !== "string") return undefined;
	const figure = readNumber(value);
	if (figure === undefined) return readDuration(value) ?? readDelay(value, now);
	// A small figure is a delay in seconds, a large one the time since 1970 in seconds or milliseconds.
	if (figure < 1e9) return figure * 1000;
	return (figure < 1e11 ? figure * 1000 : figure) - now;
}

function readDuration(value: string): number | undefined {
	if (!/^(?:\d+(?:\.\d+)?(?:ms|s|m|h|d))+$/u.test(value)) return undefined;
	const unit: Record<string, number> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };
	return [...value.matchAll(/([\d.]+)(ms|s|m|h|d)/gu)].reduce(
		(sum, [, figure, name = ""]) => sum + Number(figure) * (unit[name] ?? 0),
		0,
	);
}

function longest(delays: readonly number[]): number | undefined {
	return delays.length === 0 ? undefined : Math.max(...delays);
}
