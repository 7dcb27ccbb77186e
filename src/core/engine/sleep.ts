import type { Clock } from "../ports/clock.ts";

/** Resolves after the time, or at once when the signal fires. */
export function sleep(clock: Clock, ms: number, signal: AbortSignal): Promise<void> {
	return new Promise((resolve) => {
		if (signal.aborted) return resolve();
		const timer = clock.after(ms, done);
		signal.addEventListener("abort", done, { once: true });
		function done(): void {
			timer.dispose();
			signal.removeEventListener("abort", done);
			resolve();
		}
	});
}
