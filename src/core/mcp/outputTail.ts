import { stripVTControlCharacters } from "node:util";

const maxBytes = 8 * 1024;
const maxLines = 100;

/** The last of what a server said for people: it mostly tells why the server does not work. */
export class OutputTail {
	#bytes: Buffer = Buffer.alloc(0);

	push(bytes: Uint8Array): void {
		const last = bytes.subarray(-maxBytes);
		this.#bytes = Buffer.concat([
			this.#bytes.subarray(-Math.max(0, maxBytes - last.length) || maxBytes),
			last,
		]).subarray(-maxBytes);
	}

	/** Without colours, and without characters that are no text. */
	get text(): string {
		const text = stripVTControlCharacters(this.#bytes.toString("utf8"));
		const lines = text
			.replaceAll(/\r\n?/gu, "\n")
			.replaceAll(/[^\P{Cc}\n\t]/gu, "\uFFFD")
			.trimEnd()
			.split("\n");
		return lines.slice(-maxLines).join("\n");
	}
}
