import type { Disposable } from "../../src/core/base/disposable.ts";
import type { Clock } from "../../src/core/ports/clock.ts";

/** Time that passes only when a test says so. */
export class ManualClock implements Clock {
	#now = 0;
	readonly #timers = new Set<{ readonly at: number; readonly callback: () => void }>();

	now(): number {
		return this.#now;
	}

	after(ms: number, callback: () => void): Disposable {
		const timer = { at: this.#now + ms, callback };
		this.#timers.add(timer);
		return { dispose: () => void this.#timers.delete(timer) };
	}

	/** Lets time pass; what falls due is called at its own time, in order. */
	advance(ms: number): void {
		const end = this.#now + ms;
		for (;;) {
			const [next] = [...this.#timers].filter(({ at }) => at <= end).toSorted((one, other) => one.at - other.at);
			if (!next) break;
			this.#timers.delete(next);
			this.#now = Math.max(this.#now, next.at);
			next.callback();
		}
		this.#now = end;
	}
}
