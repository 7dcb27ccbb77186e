import type { ModelError } from "../models/modelPort.ts";

const mostAttempts = 6;
const firstDelayMs = 1_000;
const longestDelayMs = 60_000;

/**
 * How long to wait before a model is asked again, or null to give up: what the provider says, else twice as long each
 * time, a fifth more or less, so that many runs do not come back at once.
 */
export function retryDelay(error: ModelError, attempt: number): number | null {
	if (!error.retryable || attempt >= mostAttempts) return null;
	if (error.retryAfterMs !== undefined) return error.retryAfterMs;
	const delay = Math.min(longestDelayMs, firstDelayMs * 2 ** (attempt - 1));
	return Math.round(delay * (0.8 + Math.random() * 0.4));
}
