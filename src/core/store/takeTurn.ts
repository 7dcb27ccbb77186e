import { isBusy } from "./sqliteErrors.ts";

const sleeper = new Int32Array(new SharedArrayBuffer(4));

/**
 * Tries until no other process is in the way. SQLite's own waiting sleeps ever longer, which starves a light writer beside
 * busy ones; and some steps are refused without any waiting, because SQLite fears that two wait for each other.
 */
export function takeTurn(patienceMs: number, attempt: () => void): void {
	const giveUpAt = performance.now() + patienceMs;
	for (;;) {
		try {
			return attempt();
		} catch (error) {
			if (!isBusy(error) || performance.now() > giveUpAt) throw error;
			Atomics.wait(sleeper, 0, 0, 0.2 + Math.random());
		}
	}
}
