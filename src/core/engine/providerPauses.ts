import type { ModelError } from "../models/modelPort.ts";
import type { Clock } from "../ports/clock.ts";
import type { Database } from "../store/database.ts";
import { CircuitBreaker } from "./circuitBreaker.ts";
import { providerPause } from "./retryDelay.ts";

export interface Heed {
	readonly signal: AbortSignal;
	/** Resolves after the time, or at once when the signal fires. */
	readonly wait: (ms: number, signal: AbortSignal) => Promise<void>;
	/** Called when it has to wait, with until when and why. */
	readonly onWait: (until: number, reason: string) => void;
}

/** The pauses that providers want or need: those that all hosts heed are in the store, who tries first is each host's own. */
export class ProviderPauses {
	readonly #database: Pick<Database, "call">;
	readonly #clock: Clock;
	readonly #breaker = new CircuitBreaker();

	constructor(database: Pick<Database, "call">, clock: Clock) {
		this.#database = database;
		this.#clock = clock;
	}

	/**
	 * A provider that has asked any run for a pause gets it from those at work too: resolves when the model may be asked, at
	 * once where nobody wants a pause, and when the signal fires.
	 */
	async heed(model: string, { signal, wait, onWait }: Heed): Promise<void> {
		const provider = providerOf(model);
		while (!signal.aborted) {
			// Looked at again after the wait: meanwhile it may have been prolonged.
			const asked = await this.#database.call("readProviderPause", { provider, at: this.#clock.now() });
			const pause = asked ?? this.#breaker.enter(provider, this.#clock.now());
			if (!pause) return;
			onWait(pause.until, pause.reason);
			await wait(pause.until - this.#clock.now(), signal);
		}
	}

	/** A request has failed, for the last time or not. `delayMs` is how long it would wait itself. */
	async failed(model: string, error: ModelError, delayMs: number): Promise<void> {
		if (!error.retryable) return;
		const provider = providerOf(model);
		const now = this.#clock.now();
		const openMs = error.kind === "overload" ? this.#breaker.failed(provider, error.message, now) : null;
		const pauseMs = Math.max(providerPause(error, delayMs) ?? 0, openMs ?? 0);
		if (pauseMs === 0) return;
		await this.#database.call("pauseProvider", { provider, until: now + pauseMs, reason: error.message });
	}

	answered(model: string): void {
		this.#breaker.answered(providerOf(model));
	}
}

function providerOf(model: string): string {
	return model.slice(0, model.indexOf("/"));
}
