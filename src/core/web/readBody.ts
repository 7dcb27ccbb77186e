import type { IncomingMessage } from "node:http";
import { pipeline, type Readable, type Transform } from "node:stream";
import zlib from "node:zlib";
import { ProblemError } from "../base/errors.ts";

/** What comes over the wire, and what it becomes once unpacked: a small answer may be huge inside. */
const mostWireBytes = 5 * 1024 * 1024;
const mostBytes = 10 * 1024 * 1024;

/** As it stands in `accept-encoding`. */
export const acceptedEncodings = "gzip, deflate, br";

/** The whole body, unpacked. Rejects with a `ProblemError` when there is too much of it. */
export async function readBody(incoming: IncomingMessage): Promise<Buffer> {
	if (Number(incoming.headers["content-length"] ?? 0) > mostWireBytes) {
		incoming.destroy();
		throw tooLarge();
	}
	let wireBytes = 0;
	incoming.on("data", ({ length }: Buffer) => {
		wireBytes += length;
		if (wireBytes > mostWireBytes) incoming.destroy(tooLarge());
	});
	const chunks: Buffer[] = [];
	let size = 0;
	for await (const chunk of unpack(incoming) as AsyncIterable<Buffer>) {
		size += chunk.length;
		// Leaving the loop closes the connection.
		if (size > mostBytes) throw tooLarge();
		chunks.push(chunk);
	}
	return Buffer.concat(chunks, size);
}

function unpack(incoming: IncomingMessage): Readable {
	const encoding = (incoming.headers["content-encoding"] ?? "identity").trim().toLowerCase();
	if (encoding === "" || encoding === "identity") return incoming;
	const decoder = decoderOf(encoding);
	if (decoder === undefined) {
		incoming.destroy();
		throw problem(
			"web.encoding",
			`It is packed in a way that was not asked for (${JSON.stringify(encoding.slice(0, 40))}).`,
		);
	}
	// Whoever reads the decoder hears of every failure; the callback is only what `pipeline` asks for.
	return pipeline(incoming, decoder, () => undefined);
}

function decoderOf(encoding: string): Transform | undefined {
	switch (encoding) {
		case "gzip":
		case "x-gzip":
			return zlib.createGunzip();
		case "deflate":
			return zlib.createInflate();
		case "br":
			return zlib.createBrotliDecompress();
		default:
			return undefined;
	}
}

function tooLarge(): ProblemError {
	const limits = `${mostWireBytes / 1024 / 1024} MB, or ${mostBytes / 1024 / 1024} MB unpacked`;
	return problem("web.tooLarge", `It is larger than ${limits}, so it was not read to its end. Look for a smaller one.`);
}

function problem(code: string, message: string): ProblemError {
	return new ProblemError({ code, message });
}
