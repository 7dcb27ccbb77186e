import type { ModelError } from "../models/modelPort.ts";

const mostAttempts = 6;
/** Who answers with a web page or with nonsense will most likely do so again. */
const mostForNonsense = 2;
const firstDelayMs = 1_000;
const longestDelayMs = 60_000;
/** Who asks for more means everybody, not this request alone. */
const longRetryAfterMs = 5_000;

/**
 * How long to wait before a model is asked again, or null to give up: what the provider says, else twice as long each
 * time, a fifth more or less, so that many runs do not come back at once.
 */
export function retryDelay(error: ModelError, attempt: number): number | null {
	const most = error.kind === "protocol" ? mostForNonsense : mostAttempts;
	return !error.retryable || attempt >= most ? null : nextDelay(error, attempt);
}

/** The same for who gives up: what others should wait instead. */
export function nextDelay(error: ModelError, attempt: number): number {
	if (error.retryAfterMs !== undefined) return error.retryAfterMs;
	const delay = Math.min(longestDelayMs, firstDelayMs * 2 ** (attempt - 1));
	return Math.round(delay * (0.8 + Math.random() * 0.4));
}

/** For how long no other run should ask this provider either; null when the failure is this request's own. */
export function providerPause(error: ModelError, delayMs: number): number | null {
	const isBusy = error.kind === "rate-limit" || error.kind === "overload" || error.statusCode === 429;
	return isBusy || (error.retryAfterMs ?? 0) > longRetryAfterMs ? delayMs : null;
}
