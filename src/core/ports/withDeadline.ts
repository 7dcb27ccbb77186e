import type { Clock } from "./clock.ts";

/**
 * Waits for work until the time is over or the caller has had enough, whichever is first; the work's own signal tells it
 * so. Settles at once then, whatever the work does.
 */
export function withDeadline<T>(
	work: (signal: AbortSignal) => Promise<T>,
	{
		clock,
		ms,
		signal,
		late,
	}: {
		readonly clock: Clock;
		readonly ms: number;
		readonly signal?: AbortSignal | undefined;
		readonly late: () => Error;
	},
): Promise<T> {
	signal?.throwIfAborted();
	return new Promise<T>((resolve, reject) => {
		const controller = new AbortController();
		const give = (error: unknown) => {
			reject(error);
			controller.abort(error);
		};
		const onAbort = () => give(signal?.reason);
		const timer = clock.after(ms, () => give(late()));
		signal?.addEventListener("abort", onAbort, { once: true });
		const settle = () => {
			timer.dispose();
			signal?.removeEventListener("abort", onAbort);
		};
		work(controller.signal).then(resolve, reject).finally(settle).catch(reject);
	});
}
