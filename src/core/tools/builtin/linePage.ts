export interface LinePageLimits {
	/** 1-based. */
	readonly firstLine: number;
	readonly maxLines: number;
	readonly maxBytes: number;
}

/** Collects one page of numbered lines out of a file's lines, given in order from the first. */
export class LinePage {
	readonly #limits: LinePageLimits;
	readonly #lines: string[] = [];
	#bytes = 0;
	#seen = 0;
	#hasMore = false;

	constructor(limits: LinePageLimits) {
		this.#limits = limits;
	}

	/** How many lines of the file were seen. */
	get seen(): number {
		return this.#seen;
	}

	/** Set by the first line that is not on the page any more: no further one is needed. */
	get hasMore(): boolean {
		return this.#hasMore;
	}

	get nextLine(): number {
		return this.#limits.firstLine + this.#lines.length;
	}

	get text(): string {
		return this.#lines.join("\n");
	}

	get isEmpty(): boolean {
		return this.#lines.length === 0;
	}

	add(line: string): void {
		this.#seen++;
		if (this.#hasMore || this.#seen < this.#limits.firstLine) return;
		const numbered = `${this.#seen}\t${line}`;
		const bytes = this.#bytes + Buffer.byteLength(numbered) + 1;
		if (this.#lines.length === this.#limits.maxLines || bytes > this.#limits.maxBytes) {
			this.#hasMore = true;
			return;
		}
		this.#bytes = bytes;
		this.#lines.push(numbered);
	}
}
