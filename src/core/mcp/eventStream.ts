import { MessageTooLong } from "./messageLines.ts";

const newline = 0x0a;
/** Parts of an event that is too long, which tell what it would have been. */
const headBytes = 4 * 1024;
const tailBytes = 1024;

export interface EventStreamOptions {
	readonly maxBytes: number;
	/** An event was left out. `answers` is the request that it answers, as far as its ends tell. */
	readonly onTooLong: (answers: number | undefined) => void;
	/** Throws at the first byte too many: there is nothing to go on for. */
	readonly stopsAtOnce: boolean;
	/** The stream has given out an id, from which it can be resumed. */
	readonly onId: () => void;
}

/**
 * Passes server-sent events on, each when it is complete, and leaves out those that are too long: nobody else counts, and
 * one of 200 MB costs a reader 900 MB of memory.
 */
export async function* limitEvents(
	source: AsyncIterable<Uint8Array>,
	{ maxBytes, onTooLong, onId, stopsAtOnce }: EventStreamOptions,
): AsyncGenerator<Uint8Array> {
	let event = new PartialEvent();
	for await (const bytes of source) {
		const complete: Uint8Array[] = [];
		let start = 0;
		for (let end = bytes.indexOf(newline); end !== -1; end = bytes.indexOf(newline, start)) {
			const isOver = event.addLine(bytes.subarray(start, end + 1), maxBytes);
			start = end + 1;
			if (!isOver) continue;
			if (event.isTooLong && stopsAtOnce) throw new MessageTooLong();
			if (event.isTooLong) onTooLong(findAnsweredId(event.head, event.tail));
			else if (event.size > 0) complete.push(...event.pieces);
			if (event.hasId) onId();
			event = new PartialEvent();
		}
		event.addPiece(bytes.subarray(start), maxBytes);
		if (event.isTooLong && stopsAtOnce) throw new MessageTooLong();
		if (complete.length > 0) yield Buffer.concat(complete);
	}
	if (event.isTooLong) onTooLong(findAnsweredId(event.head, event.tail));
}

class PartialEvent {
	pieces: Uint8Array[] = [];
	size = 0;
	head = "";
	tail = "";
	isTooLong = false;
	hasId = false;
	#lineStart = "";

	/** Adds what completes a line. Whether that was the empty one, which ends the event. */
	addLine(bytes: Uint8Array, maxBytes: number): boolean {
		this.addPiece(bytes, maxBytes);
		const isEmpty = this.#lineStart === "\n" || this.#lineStart === "\r\n";
		if (this.#lineStart.startsWith("id:")) this.hasId = true;
		this.#lineStart = "";
		return isEmpty;
	}

	addPiece(bytes: Uint8Array, maxBytes: number): void {
		if (bytes.length === 0) return;
		this.size += bytes.length;
		const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
		if (this.#lineStart.length < 3) this.#lineStart += text.toString("latin1", 0, 3);
		if (this.head.length < headBytes) this.head += text.toString("latin1", 0, headBytes);
		if (this.size > maxBytes) {
			this.isTooLong = true;
			this.pieces = [];
			this.tail = (this.tail + text.toString("latin1", Math.max(0, bytes.length - tailBytes))).slice(-tailBytes);
		} else {
			this.pieces.push(bytes);
		}
	}
}

/** Servers write the id of an answer first or last; the long part is between. */
function findAnsweredId(head: string, tail: string): number | undefined {
	const first = /^(?:[a-z]+:.*\n)*data: ?\{(?:"jsonrpc":"2\.0",)?"id":(\d+),/u.exec(head)?.[1];
	const id = first ?? /,"id":(\d+)\}\s*$/u.exec(tail)?.[1];
	return id === undefined ? undefined : Number(id);
}
