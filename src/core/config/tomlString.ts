/** The offset behind the string that begins at `start`: basic or literal, of one or of several lines. */
export function endOfTomlString(text: string, start: number): number {
	const quote = text.charAt(start);
	const isMultiline = text.startsWith(quote.repeat(3), start);
	const closing = isMultiline ? quote.repeat(3) : quote;
	let at = start + closing.length;
	while (at < text.length && !text.startsWith(closing, at)) {
		if (text.charAt(at) === "\n" && !isMultiline) return at;
		at += text.charAt(at) === "\\" && quote === '"' ? 2 : 1;
	}
	at += closing.length;
	// A string of several lines may end in up to two quotes of its own, right before the closing three.
	if (isMultiline) for (let own = 0; own < 2 && text.charAt(at) === quote; own++) at++;
	return Math.min(at, text.length);
}

const escapes: Readonly<Record<string, string>> = { b: "\b", t: "\t", n: "\n", f: "\f", r: "\r", e: "\u{1b}" };

/** The text of a quoted key. */
export function readTomlString(quoted: string): string {
	const inner = quoted.slice(1, quoted.endsWith(quoted.charAt(0)) ? -1 : undefined);
	if (quoted.startsWith("'")) return inner;
	return inner.replaceAll(/\\(?:x(..)|u(.{4})|U(.{8})|(.))/gu, (_, x?: string, u?: string, U?: string, sign = "") => {
		const hex = x ?? u ?? U;
		if (hex === undefined) return escapes[sign] ?? sign;
		const code = Number.parseInt(hex, 16);
		return code <= 0x10_ffff ? String.fromCodePoint(code) : "\ufffd";
	});
}
