import type { Clock } from "../ports/clock.ts";

const windowMs = 1_000;
const maxInWindow = 500;
/** So much of a line shows what it is. */
const shownBytes = 300;

/**
 * Holds down what a server says unasked. Beyond the limit such lines are thrown away before they are parsed, so that a flood
 * costs next to nothing; answers to our own requests always pass.
 */
export class ServerRequestLimit {
	readonly #clock: Clock;
	#windowStart = Number.NEGATIVE_INFINITY;
	#count = 0;

	constructor(clock: Clock) {
		this.#clock = clock;
	}

	/** Counts one message of the server's own. */
	count(): void {
		this.#look();
		this.#count++;
	}

	/** Whether the line is one too many. */
	refuses(line: Buffer): boolean {
		this.#look();
		if (this.#count < maxInWindow) return false;
		const shown = line.toString("latin1", 0, shownBytes);
		return shown.includes('"method"') && !shown.includes('"result"') && !shown.includes('"error"');
	}

	#look(): void {
		const now = this.#clock.now();
		if (now - this.#windowStart < windowMs) return;
		this.#windowStart = now;
		this.#count = 0;
	}
}
