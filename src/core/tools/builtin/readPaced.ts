import type { Readable } from "node:stream";
import type { Clock } from "../../ports/clock.ts";

/** So much is read as fast as it comes: nobody waits for ordinary output. */
const freeBytes = 10 * 1024 * 1024;
/** Then, a sixteenth of a second's worth at a time, 16 MB in a second: a flood read at full speed takes a whole core. */
const sliceBytes = 1024 * 1024;
const sliceMs = 62.5;

/**
 * Hands out what the streams say, and slows down a flood; the writer waits meanwhile. Resolves when all are closed,
 * whatever closed them.
 */
export async function readPaced(
	streams: readonly Readable[],
	clock: Clock,
	onBytes: (bytes: Uint8Array) => void,
): Promise<void> {
	let free = freeBytes;
	let isWaiting = false;
	const goOn = () => {
		isWaiting = false;
		free = sliceBytes;
		for (const stream of streams) stream.resume();
	};
	const take = (bytes: Uint8Array) => {
		onBytes(bytes);
		free -= bytes.length;
		if (free > 0 || isWaiting) return;
		isWaiting = true;
		for (const stream of streams) stream.pause();
		clock.after(sliceMs, goOn);
	};
	await Promise.all(
		streams.map(
			(stream) =>
				new Promise<void>((resolve) => {
					// A pipe that breaks is closed next.
					stream.on("error", () => undefined);
					stream.once("close", resolve);
					stream.on("data", take);
				}),
		),
	);
}
