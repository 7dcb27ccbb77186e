import { decodeEntities } from "./htmlEntities.ts";

export type HtmlToken =
	| { readonly kind: "text"; readonly text: string }
	| { readonly kind: "open"; readonly name: string; readonly attributes: ReadonlyMap<string, string> }
	| { readonly kind: "close"; readonly name: string };

/** Their content is no HTML; it goes on to their own end tag. */
const rawElements: ReadonlySet<string> = new Set(
	"script style title textarea xmp iframe noembed noframes plaintext".split(" "),
);
/** A tag longer than this is none; it keeps a broken page from being read over and over. */
const longestTag = 65_536;

/**
 * The tags and texts of a page, as a browser would split it. Each character is looked at a bounded number of times, whatever
 * the page is like. Comments and what begins with `<!` or `<?` are left out.
 */
export function* readHtmlTokens(html: string): Generator<HtmlToken> {
	let at = 0;
	while (at < html.length) {
		const start = findTag(html, at);
		if (start > at) yield { kind: "text", text: decodeEntities(html.slice(at, start)) };
		if (start === html.length) return;
		const end = endOfTag(html, start);
		const token = readTag(html.slice(start, end));
		if (token !== undefined) yield token;
		at = end;
		if (token?.kind !== "open" || !rawElements.has(token.name)) continue;
		const close = findRawEnd(html, at, token.name);
		const text = html.slice(at, close);
		if (text !== "")
			yield { kind: "text", text: token.name === "title" || token.name === "textarea" ? decodeEntities(text) : text };
		yield { kind: "close", name: token.name };
		at = close === html.length ? close : endOfTag(html, close);
	}
}

/** The next `<` that begins something, or the end. */
function findTag(html: string, from: number): number {
	for (let at = html.indexOf("<", from); at !== -1; at = html.indexOf("<", at + 1)) {
		if (/[a-z/!?]/iu.test(html.charAt(at + 1))) return at;
	}
	return html.length;
}

/** The place behind its `>`; one in quotes does not count. */
function endOfTag(html: string, start: number): number {
	if (html.startsWith("<!--", start)) return endAfter(html, "-->", start + 2);
	if (/[!?]/u.test(html.charAt(start + 1))) return endAfter(html, ">", start);
	let quote = "";
	const last = Math.min(html.length, start + longestTag);
	for (let at = start + 1; at < last; at++) {
		const sign = html.charAt(at);
		if (quote !== "") {
			if (sign === quote) quote = "";
		} else if (sign === ">") return at + 1;
		// Only behind a = does a quote open anything.
		else if ((sign === '"' || sign === "'") && /[=\s]/u.test(html.charAt(at - 1))) quote = sign;
	}
	return endAfter(html.slice(0, last), ">", start);
}

function endAfter(html: string, mark: string, from: number): number {
	const found = html.indexOf(mark, from);
	return found === -1 ? html.length : found + mark.length;
}

function findRawEnd(html: string, from: number, name: string): number {
	if (name === "plaintext") return html.length;
	for (let at = html.indexOf("</", from); at !== -1; at = html.indexOf("</", at + 2)) {
		const end = at + 2 + name.length;
		if (html.slice(at + 2, end).toLowerCase() === name && /[\s/>]/u.test(html.charAt(end))) return at;
	}
	return html.length;
}

function readTag(tag: string): HtmlToken | undefined {
	const parts = /^<(\/?)([a-z][^\s/>]*)/iu.exec(tag);
	if (parts === null) return undefined;
	const [whole, slash, written = ""] = parts;
	const name = written.toLowerCase();
	if (slash === "/") return { kind: "close", name };
	return { kind: "open", name, attributes: readAttributes(tag.slice(whole.length)) };
}

/** The first of several with one name counts. */
function readAttributes(text: string): ReadonlyMap<string, string> {
	const attributes = new Map<string, string>();
	for (const match of text.matchAll(/([^\s=>"'/]+)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s>"']+)))?/gu)) {
		const [, name = "", double, single, bare] = match;
		const key = name.toLowerCase();
		if (!attributes.has(key)) attributes.set(key, decodeEntities(double ?? single ?? bare ?? ""));
	}
	return attributes;
}
