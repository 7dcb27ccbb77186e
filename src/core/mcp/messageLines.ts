/** No message of a server is longer. */
export const maxMessageBytes = 10 * 1024 * 1024;

const newline = 0x0a;
const carriageReturn = 0x0d;

export class MessageTooLong extends Error {
	constructor() {
		super(`It sent a message of more than ${maxMessageBytes / 1024 / 1024} MB, which is the most`);
		this.name = "MessageTooLong";
	}
}

/**
 * Cuts what a server writes into lines. Joins the pieces of a line once, when it is complete: joining at each piece, as the
 * SDK's `ReadBuffer` does, copies a long message hundreds of times.
 */
export class MessageLines {
	readonly #maxBytes: number;
	#pieces: Uint8Array[] = [];
	#size = 0;

	constructor(maxBytes = maxMessageBytes) {
		this.#maxBytes = maxBytes;
	}

	/** The lines that are complete now, without their ends. Throws at a line that is too long. */
	*push(bytes: Uint8Array): Generator<Buffer> {
		let start = 0;
		for (let end = bytes.indexOf(newline); end !== -1; end = bytes.indexOf(newline, start)) {
			this.#keep(bytes.subarray(start, end));
			start = end + 1;
			const line = join(this.#pieces);
			this.#pieces = [];
			this.#size = 0;
			yield line.at(-1) === carriageReturn ? line.subarray(0, -1) : line;
		}
		this.#keep(bytes.subarray(start));
	}

	#keep(piece: Uint8Array): void {
		this.#size += piece.length;
		if (this.#size > this.#maxBytes) {
			this.#pieces = [];
			throw new MessageTooLong();
		}
		if (piece.length > 0) this.#pieces.push(piece);
	}
}

/** Most lines are in one piece, and need no copy. */
function join(pieces: readonly Uint8Array[]): Buffer {
	const [only] = pieces;
	if (pieces.length !== 1 || only === undefined) return Buffer.concat(pieces);
	return Buffer.from(only.buffer, only.byteOffset, only.byteLength);
}
