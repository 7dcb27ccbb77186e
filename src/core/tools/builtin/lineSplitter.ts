import { shorten } from "../shorten.ts";

/**
 * Cuts a stream of UTF-8 bytes into lines. Holds no more of a line than it hands out, however long the line is.
 * A line end is LF or CRLF, and is not part of the line; a byte-order mark is not text. Names come apart at NUL instead.
 */
export class LineSplitter {
	readonly #decoder = new TextDecoder();
	readonly #maxLength: number;
	readonly #separator: "\n" | "\0";
	#line = "";
	#length = 0;

	constructor(maxLength: number, separator: "\n" | "\0" = "\n") {
		this.#maxLength = maxLength;
		this.#separator = separator;
	}

	/** The lines that these bytes complete. */
	push(bytes: Uint8Array): string[] {
		return this.#split(this.#decoder.decode(bytes, { stream: true }));
	}

	/** The last line, when the bytes did not end with a line end. */
	end(): string[] {
		const lines = this.#split(this.#decoder.decode());
		return this.#length > 0 ? [...lines, this.#take()] : lines;
	}

	#split(text: string): string[] {
		const pieces = text.split(this.#separator);
		const rest = pieces.pop() ?? "";
		const lines = pieces.map((piece) => {
			this.#append(piece);
			return this.#take();
		});
		this.#append(rest);
		return lines;
	}

	#append(piece: string): void {
		this.#length += piece.length;
		// One more than is handed out, so that `shorten` sees that there was more.
		this.#line += piece.slice(0, Math.max(0, this.#maxLength + 1 - this.#line.length));
	}

	#take(): string {
		const isWhole = this.#separator === "\n" && this.#length === this.#line.length;
		const line = isWhole && this.#line.endsWith("\r") ? this.#line.slice(0, -1) : this.#line;
		this.#line = "";
		this.#length = 0;
		return shorten(line, this.#maxLength);
	}
}
