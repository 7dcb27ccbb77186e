import type { Disposable } from "../base/disposable.ts";
import type { Clock } from "../ports/clock.ts";

export interface WatchdogLimits {
	/** From the start of the run; 0 = none. */
	readonly wallMs: number;
	/** From a request to the model's first token; 0 = none. */
	readonly firstTokenMs: number;
	/** Between tokens; 0 = none. */
	readonly silenceMs: number;
}

/** Which limit was reached. */
export type Bark = "wall" | "firstToken" | "silence";

/**
 * The one owner of a run's time limits. Two concepts: the wall clock over the whole run, and the model's silence while it
 * is asked. Both stand still while a person is asked.
 */
export class Watchdog implements Disposable {
	readonly #clock: Clock;
	readonly #limits: WatchdogLimits;
	readonly #abort = new AbortController();
	readonly signal: AbortSignal = this.#abort.signal;
	#timer: Disposable | undefined;
	#wallAt: number | null;
	#silence: { readonly limit: "firstToken" | "silence"; at: number } | null = null;
	#pausedAt: number | null = null;
	#armedFor = 0;
	bark: Bark | undefined;

	constructor(clock: Clock, limits: WatchdogLimits) {
		this.#clock = clock;
		this.#limits = limits;
		this.#wallAt = limits.wallMs > 0 ? clock.now() + limits.wallMs : null;
		this.#arm();
	}

	/** The model is asked. */
	expectFirstToken(): void {
		this.#watch("firstToken", this.#limits.firstTokenMs);
	}

	/** The model has said something, however little. */
	progress(): void {
		const { silenceMs } = this.#limits;
		const now = this.#clock.now();
		// Every token comes here: moving a time is cheap, a new timer is not. The timer looks again when it fires.
		if (this.#silence?.limit === "silence") this.#silence.at = now + silenceMs;
		else this.#watch("silence", silenceMs);
	}

	/** Nobody waits for the model now. */
	rest(): void {
		this.#silence = null;
	}

	/** A person is asked: time stands still. */
	pause(): void {
		this.#pausedAt ??= this.#clock.now();
		this.#disarm();
	}

	resume(): void {
		if (this.#pausedAt === null) return;
		const waited = this.#clock.now() - this.#pausedAt;
		this.#pausedAt = null;
		if (this.#wallAt !== null) this.#wallAt += waited;
		if (this.#silence) this.#silence.at += waited;
		this.#arm();
	}

	dispose(): void {
		this.#disarm();
		this.#wallAt = null;
		this.#silence = null;
	}

	#watch(limit: "firstToken" | "silence", ms: number): void {
		this.#silence = ms > 0 ? { limit, at: this.#clock.now() + ms } : null;
		this.#arm();
	}

	#disarm(): void {
		this.#timer?.dispose();
		this.#timer = undefined;
	}

	#arm(): void {
		if (this.#pausedAt !== null || this.signal.aborted) return;
		const next = Math.min(this.#wallAt ?? Infinity, this.#silence?.at ?? Infinity);
		if (this.#timer && this.#armedFor <= next) return;
		this.#disarm();
		if (next === Infinity) return;
		this.#armedFor = next;
		this.#timer = this.#clock.after(Math.max(0, next - this.#clock.now()), () => this.#look());
	}

	#look(): void {
		this.#timer = undefined;
		const now = this.#clock.now();
		if (this.#wallAt !== null && now >= this.#wallAt) this.bark = "wall";
		else if (this.#silence && now >= this.#silence.at) this.bark = this.#silence.limit;
		if (this.bark) this.#abort.abort();
		else this.#arm();
	}
}
