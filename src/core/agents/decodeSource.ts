import type { TextProblem } from "./agentProblem.ts";

/** More than people write by hand. */
export const largestSourceBytes = 262_144;

export type DecodedSource = { readonly text: string } | { readonly problem: TextProblem };

/** The text of a file, or why it is not read as one: too long, not UTF-8, NUL in it, or empty. Drops a byte-order mark. */
export function decodeSource(bytes: Uint8Array): DecodedSource {
	if (bytes.byteLength > largestSourceBytes) {
		const message = `The file has ${bytes.byteLength} bytes; at most ${largestSourceBytes / 1024} KB are read. Make it shorter.`;
		return refuse("agent.tooLarge", message);
	}
	const text = decode(bytes);
	if (text === undefined) {
		return refuse("agent.encoding", "The file is not UTF-8 text. Save it with the encoding UTF-8.");
	}
	if (text.trim() === "") {
		return refuse("agent.empty", "The file is empty. Begin it with `---`, a name and a description.");
	}
	return { text };
}

function decode(bytes: Uint8Array): string | undefined {
	if (bytes.includes(0)) return undefined;
	try {
		return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
	} catch (error) {
		if (error instanceof TypeError) return undefined;
		throw error;
	}
}

function refuse(code: string, message: string): DecodedSource {
	return { problem: { severity: "error", code, message } };
}
