import type { Clock } from "../ports/clock.ts";
import type { Database } from "../store/database.ts";

export interface HeedPause {
	readonly database: Pick<Database, "call">;
	readonly clock: Clock;
	readonly signal: AbortSignal;
	/** Resolves after the time, or at once when the signal fires. */
	readonly wait: (ms: number, signal: AbortSignal) => Promise<void>;
	/** Called when it has to wait, with until when and why. */
	readonly onWait: (until: number, reason: string) => void;
}

/**
 * A provider that has asked any run for a pause gets it from those at work too: resolves when the model may be asked, at
 * once where nobody wants a pause, and when the signal fires.
 */
export async function heedPause(model: string, { database, clock, signal, wait, onWait }: HeedPause): Promise<void> {
	const provider = model.slice(0, model.indexOf("/"));
	while (!signal.aborted) {
		// Looked at again after the wait: meanwhile it may have been prolonged.
		const pause = await database.call("readProviderPause", { provider, at: clock.now() });
		if (!pause) return;
		onWait(pause.until, pause.reason);
		await wait(pause.until - clock.now(), signal);
	}
}
