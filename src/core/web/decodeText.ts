/** Where a page says so itself, it does so near its beginning. */
const searchedBytes = 1024;

/** The text of a body: by its mark, else by its header, else by what it says of itself, else as UTF-8. */
export function decodeText(body: Uint8Array, contentType: string): string {
	const label = markOf(body) ?? /charset\s*=\s*"?([\w.:-]+)/iu.exec(contentType)?.[1] ?? declaredIn(body) ?? "utf-8";
	return decoderFor(label).decode(body);
}

function markOf([first, second, third]: Uint8Array): string | undefined {
	if (first === 0xef && second === 0xbb && third === 0xbf) return "utf-8";
	if (first === 0xfe && second === 0xff) return "utf-16be";
	if (first === 0xff && second === 0xfe) return "utf-16le";
	return undefined;
}

function declaredIn(body: Uint8Array): string | undefined {
	const head = new TextDecoder("latin1").decode(body.subarray(0, searchedBytes));
	const label =
		/<meta[^>]{0,200}?charset\s*=\s*["']?([\w.:-]+)/iu.exec(head)?.[1] ??
		/^<\?xml[^>]{0,200}?encoding\s*=\s*["']([\w.:-]+)/iu.exec(head)?.[1];
	// What could be read so far is not written in it.
	return label !== undefined && /^utf-?16/iu.test(label) ? "utf-8" : label;
}

function decoderFor(label: string): InstanceType<typeof TextDecoder> {
	try {
		return new TextDecoder(label);
	} catch (error) {
		// A label that nobody knows says nothing.
		if (error instanceof RangeError) return new TextDecoder();
		throw error;
	}
}
