import { stripVTControlCharacters } from "node:util";
import type { OutputBuffer } from "./outputBuffer.ts";

const headForModel = 8 * 1024;
/** The end says most: results, failures, sums. Leaves room for the lines that tell how it ended. */
const tailForModel = 23 * 1024;
const pageBytes = 31 * 1024;

/** The whole output, or its first and last part, for the model. */
export function describeOutput(output: OutputBuffer): string {
	if (output.total <= headForModel + tailForModel) return toText(output.read(0, output.total).bytes);
	const head = cutLastCharacter(output.read(0, headForModel).bytes);
	const tail = cutFirstCharacter(output.read(output.total - tailForModel, tailForModel).bytes);
	const missing = output.total - head.length - tail.length;
	return `${toText(head)}\n\n[… ${missing} bytes left out …]\n\n${toText(tail)}`;
}

export interface TextPage {
	readonly text: string;
	/** How many bytes before the text were asked for and are not kept. */
	readonly missing: number;
	readonly next: number;
}

/** One page of output from that byte on, of whole characters as long as more may come. */
export function pageOutput(output: OutputBuffer, offset: number, isOver: boolean): TextPage {
	const { bytes, from, next } = output.read(offset, pageBytes);
	const isLast = isOver && next === output.total;
	const whole = isLast ? bytes : cutLastCharacter(bytes);
	return { text: toText(whole), missing: Math.max(0, from - offset), next: from + whole.length };
}

function toText(bytes: Uint8Array): string {
	const text = stripVTControlCharacters(new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes));
	return text.replaceAll("\r\n", "\n").replaceAll(/[^\P{Cc}\n\t\r]/gu, "\uFFFD");
}

/** Without a last character of which only a part is there. Bytes that are no UTF-8 stay. */
function cutLastCharacter(bytes: Uint8Array): Uint8Array {
	for (let back = 1; back <= Math.min(3, bytes.length - 1); back++) {
		const byte = bytes[bytes.length - back] ?? 0;
		if (byte < 0x80) return bytes;
		if (byte >= 0xc0) {
			const length = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2;
			return length > back ? bytes.subarray(0, bytes.length - back) : bytes;
		}
	}
	return bytes;
}

function cutFirstCharacter(bytes: Uint8Array): Uint8Array {
	let start = 0;
	while (start < 3 && ((bytes[start] ?? 0) & 0xc0) === 0x80) start++;
	return bytes.subarray(start);
}
