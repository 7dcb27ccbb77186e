import { setTimeout as delay } from "node:timers/promises";

/**
 * Asks `probe` again and again until it gives something truthy, and returns that. An exception of the probe ends the
 * wait. `what` completes the sentence "Waited 40 s for …".
 */
export async function until<T>(
	what: string,
	probe: () => T | Promise<T>,
	timeoutMs = 40_000,
): Promise<Exclude<T, false | null | undefined | 0 | "">> {
	const endAt = Date.now() + timeoutMs;
	while (true) {
		const value = await probe();
		if (isTruthy(value)) return value;
		if (Date.now() > endAt) throw new Error(`Waited ${timeoutMs / 1000} s for ${what}`);
		await delay(50);
	}
}

function isTruthy<T>(value: T): value is Exclude<T, false | null | undefined | 0 | ""> {
	return Boolean(value);
}
