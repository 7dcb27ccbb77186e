export interface OutputPage {
	readonly bytes: Uint8Array;
	/** Where the bytes start: later than asked for when what was asked for is not kept. */
	readonly from: number;
	/** Where to go on. */
	readonly next: number;
}

const headBytes = 256 * 1024;
const tailBytes = 768 * 1024;

/** Keeps the first and the last of an endless stream of bytes, by their place in it. Never takes more than 1 MiB. */
export class OutputBuffer {
	#head = Buffer.alloc(0);
	#headLength = 0;
	/** The byte at place `p` is at `(p - headBytes) % tailBytes`. */
	#tail: Buffer | undefined;
	#total = 0;

	/** How many bytes came in all. */
	get total(): number {
		return this.#total;
	}

	push(bytes: Uint8Array): void {
		const toHead = bytes.subarray(0, headBytes - this.#headLength);
		if (toHead.length > 0) this.#pushHead(toHead);
		this.#pushTail(bytes.subarray(toHead.length));
	}

	/** At most `max` bytes from that place on. */
	read(offset: number, max: number): OutputPage {
		const oldestOfTail = Math.max(headBytes, this.#total - tailBytes);
		const isGap = offset >= headBytes && offset < oldestOfTail;
		const from = Math.min(isGap ? oldestOfTail : offset, this.#total);
		const isCutAtGap = from < headBytes && oldestOfTail > headBytes;
		const next = Math.min(from + max, isCutAtGap ? headBytes : this.#total);
		const fromTail = Math.max(from, headBytes);
		const head = this.#head.subarray(Math.min(from, headBytes), Math.min(next, this.#headLength));
		return {
			bytes: fromTail < next ? Buffer.concat([head, this.#copyTail(fromTail, next)]) : Buffer.from(head),
			from,
			next,
		};
	}

	#pushHead(bytes: Uint8Array): void {
		const needed = this.#headLength + bytes.length;
		if (needed > this.#head.length) {
			const larger = Buffer.alloc(Math.min(headBytes, Math.max(needed, this.#head.length * 2, 4_096)));
			this.#head.copy(larger, 0, 0, this.#headLength);
			this.#head = larger;
		}
		this.#head.set(bytes, this.#headLength);
		this.#headLength = needed;
		this.#total = needed;
	}

	#pushTail(bytes: Uint8Array): void {
		if (bytes.length === 0) return;
		this.#tail ??= Buffer.alloc(tailBytes);
		const kept = bytes.subarray(Math.max(0, bytes.length - tailBytes));
		const at = (this.#total + bytes.length - kept.length - headBytes) % tailBytes;
		const first = kept.subarray(0, tailBytes - at);
		this.#tail.set(first, at);
		this.#tail.set(kept.subarray(first.length), 0);
		this.#total += bytes.length;
	}

	#copyTail(from: number, to: number): Buffer {
		const tail = this.#tail ?? Buffer.alloc(0);
		const at = (from - headBytes) % tailBytes;
		const length = to - from;
		const first = tail.subarray(at, Math.min(at + length, tailBytes));
		return Buffer.concat([first, tail.subarray(0, length - first.length)]);
	}
}
