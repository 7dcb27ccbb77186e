import type { Clock } from "../ports/clock.ts";
import type { Run } from "../runs/run.ts";
import type { Database } from "../store/database.ts";
import type { LiveRun } from "./liveRun.ts";
import { sleep } from "./sleep.ts";

/** Giving a slot back and taking it again costs two transactions: not worth it for less. */
const longestInSlotMs = 5_000;

export interface BackOff {
	readonly live: LiveRun;
	readonly database: Pick<Database, "call">;
	readonly clock: Clock;
	/** Called when its slot is free, and when it wants it back. */
	onChanged(run: Run): void;
	/** Called when the time is over and it may still have to wait for its slot. */
	onReturning(): void;
}

/**
 * Waits before a model is asked again, or until the signal fires. Others have the slot during a long wait, and the run
 * has it again when this resolves without the signal. Its time limit counts on.
 */
export async function backOff(ms: number, signal: AbortSignal, options: BackOff): Promise<void> {
	const { live, database, clock } = options;
	const begun = ms > longestInSlotMs ? await database.call("beginBackOff", { runId: live.id, at: clock.now() }) : null;
	if (begun) options.onChanged(begun);
	await sleep(clock, ms, signal);
	if (!begun || signal.aborted) return;
	const resumed = live.untilResumed();
	const returning = await database.call("endBackOff", { runId: live.id, at: clock.now() });
	if (!returning) return;
	options.onReturning();
	options.onChanged(returning);
	await Promise.race([resumed, untilAborted(signal)]);
}

function untilAborted(signal: AbortSignal): Promise<void> {
	return new Promise((resolve) => {
		if (signal.aborted) resolve();
		else signal.addEventListener("abort", () => resolve(), { once: true });
	});
}
