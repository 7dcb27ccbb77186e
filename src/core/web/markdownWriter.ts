/** Puts text together piece by piece: runs of blanks become one, and as many line ends as were asked for, at most two. */
export class MarkdownWriter {
	readonly #pieces: string[] = [];
	#lineEnds = 0;
	#hasSpace = false;
	#isPreformatted = false;
	/** What each new line begins with. */
	indent = "";

	get length(): number {
		return this.#pieces.length;
	}

	/** The next text begins on a new line, behind an empty one where `count` is 2. */
	breakLine(count: 1 | 2 = 1): void {
		if (this.#pieces.length > 0) this.#lineEnds = Math.max(this.#lineEnds, count);
		this.#hasSpace = false;
	}

	write(text: string): void {
		if (this.#isPreformatted) return this.put(text);
		const words = text.replaceAll(/[ \t\r\n\f]+/gu, " ");
		const inner = words.trim();
		if (words.startsWith(" ")) this.#hasSpace = true;
		if (inner === "") return;
		this.put(inner);
		this.#hasSpace = words.endsWith(" ");
	}

	/** Exactly this, behind what is due. */
	put(text: string): void {
		if (this.#lineEnds > 0) this.#pieces.push("\n".repeat(this.#lineEnds), this.indent);
		else if (this.#hasSpace && this.#pieces.length > 0) this.#pieces.push(" ");
		this.#lineEnds = 0;
		this.#hasSpace = false;
		this.#pieces.push(text);
	}

	/** Right behind what is there: what is due comes after it. */
	attach(text: string): void {
		this.#pieces.push(text);
	}

	/** A place that may be filled once it is known what follows. */
	mark(): number {
		this.put("");
		return this.#pieces.length - 1;
	}

	fill(mark: number, text: string): void {
		this.#pieces[mark] = text;
	}

	openCode(): void {
		this.breakLine(2);
		this.put("```\n");
		this.#isPreformatted = true;
	}

	closeCode(): void {
		if (!this.#isPreformatted) return;
		this.#isPreformatted = false;
		this.put("\n```");
		this.breakLine(2);
	}

	get isPreformatted(): boolean {
		return this.#isPreformatted;
	}

	toString(): string {
		return this.#pieces
			.join("")
			.split("\n")
			.map((line) => line.trimEnd())
			.join("\n")
			.replaceAll(/\n{3,}/gu, "\n\n")
			.trim();
	}
}
