import type { ModelPart } from "../modelPort.ts";

/** The source is told to wait when this many parts are unread, and to go on when all were read. */
const highWater = 512;

export interface PartSource {
	pause(): void;
	resume(): void;
	/** The reader left before the end. */
	cancel(): void;
}

/** Parts on their way to one reader. A part that is waited for is handed over at once, without a stop in the queue. */
export class PartQueue implements AsyncIterator<ModelPart, undefined> {
	readonly #source: PartSource;
	readonly #waiting: ((result: IteratorResult<ModelPart, undefined>) => void)[] = [];
	#parts: ModelPart[] = [];
	#next = 0;
	#hasEnded = false;
	#isPaused = false;

	constructor(source: PartSource) {
		this.#source = source;
	}

	push(part: ModelPart): void {
		if (this.#hasEnded) return;
		const reader = this.#waiting.shift();
		if (reader) return reader({ done: false, value: part });
		this.#parts.push(part);
		if (!this.#isPaused && this.#parts.length - this.#next > highWater) {
			this.#isPaused = true;
			this.#source.pause();
		}
	}

	end(): void {
		this.#hasEnded = true;
		for (const reader of this.#waiting.splice(0)) reader({ done: true, value: undefined });
	}

	next(): Promise<IteratorResult<ModelPart, undefined>> {
		const value = this.#parts[this.#next];
		if (value) {
			this.#next += 1;
			if (this.#next === this.#parts.length) this.#drained();
			return Promise.resolve({ done: false, value });
		}
		if (this.#hasEnded) return Promise.resolve({ done: true, value: undefined });
		return new Promise((resolve) => {
			this.#waiting.push(resolve);
		});
	}

	return(): Promise<IteratorResult<ModelPart, undefined>> {
		this.#parts = [];
		this.#next = 0;
		this.end();
		this.#source.cancel();
		return Promise.resolve({ done: true, value: undefined });
	}

	#drained(): void {
		this.#parts = [];
		this.#next = 0;
		if (!this.#isPaused) return;
		this.#isPaused = false;
		this.#source.resume();
	}
}
