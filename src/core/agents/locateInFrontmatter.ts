import type { Node } from "yaml";
import { rangesIn, type TextRange } from "../base/textEdit.ts";

/** Keys and list positions from the top: `["tools", 2]`. */
export type FrontmatterPath = readonly PropertyKey[];

/** Where things are in the frontmatter of one text. */
export interface FrontmatterPlaces {
	/** How lines end in this text. */
	readonly lineEnd: string;
	/** The opening fence: the place of what is missing. */
	readonly fence: TextRange;
	readonly closingFence: TextRange;
	/** An empty range before the closing fence, where a new entry goes. */
	readonly end: TextRange;
	/** The first mistake in the YAML, if there is one. */
	readonly mistake: TextRange | undefined;
	/** The key at a path; of an item of a list, the item. */
	readonly key: (path: FrontmatterPath) => TextRange | undefined;
	/** The value at a path; the key where it has none; what is around it where there is no such path. */
	readonly value: (path: FrontmatterPath) => TextRange | undefined;
	/** A word in the value at a path. */
	readonly word: (path: FrontmatterPath, word: string) => TextRange | undefined;
	/** The lines of a top-level entry, line end included: what goes when it is removed. */
	readonly entry: (key: string) => TextRange | undefined;
}

/**
 * Parses the frontmatter once more with the `yaml` package, which is slow and knows every position: for files with
 * something to report, and for those open in an editor. The text has passed `prescan`, since that parser dies of deep
 * nesting; it need not be valid YAML.
 */
export async function locateInFrontmatter(text: string): Promise<FrontmatterPlaces> {
	const { isMap, isScalar, isSeq, parseDocument } = await import("yaml");
	const start = text.indexOf("\n") + 1;
	const end = text.indexOf("\n---", start - 1) + 1;
	const head = text.slice(0, end + 3);
	const document = parseDocument(text.slice(start, end), {
		schema: "core",
		uniqueKeys: true,
		strict: true,
		logLevel: "silent",
	});
	const rangeOf = rangesIn(head);

	const find = (path: FrontmatterPath): Found => {
		let found: Found = { key: undefined, value: spanOf(document.contents) };
		let node: unknown = document.contents;
		for (const step of path) {
			const pair = isMap(node) ? node.items.find(({ key }) => isScalar(key) && String(key.value) === step) : undefined;
			node = pair === undefined && isSeq(node) ? node.items[Number(step)] : pair?.value;
			if (pair === undefined && node === undefined) return found;
			found = { key: spanOf(pair?.key), value: spanOf(node) };
		}
		return found;
	};
	const spanOf = (node: unknown): Span | undefined => {
		const range = (node as Node | null | undefined)?.range;
		if (range === undefined || range === null) return undefined;
		const from = start + range[0];
		const to = from + head.slice(from, start + range[1]).trimEnd().length;
		return from === to ? undefined : [from, to];
	};
	const rangeOfSpan = (span: Span | undefined) => span && rangeOf(...span);
	const [mistake] = [...document.errors, ...document.warnings];
	return {
		lineEnd: text.includes("\r\n") ? "\r\n" : "\n",
		fence: rangeOf(0, 3),
		closingFence: rangeOf(end, end + 3),
		end: rangeOf(end, end),
		mistake: mistake && rangeOfSpan(wordAt(head, start + mistake.pos[0])),
		key: (path) => rangeOfSpan(find(path).key ?? find(path).value),
		value: (path) => rangeOfSpan(find(path).value ?? find(path).key),
		word: (path, word) => rangeOfSpan(wordIn(head, find(path).value, word)),
		entry: (key) => {
			const { key: from, value: to } = find([key]);
			if (from === undefined) return undefined;
			return { line: rangeOf(...from).line, column: 1, endLine: rangeOf(...(to ?? from)).endLine + 1, endColumn: 1 };
		},
	};
}

type Span = readonly [from: number, to: number];

interface Found {
	readonly key: Span | undefined;
	readonly value: Span | undefined;
}

/** YAML's mistakes are points; what a person sees there is a word. */
function wordAt(text: string, offset: number): Span {
	const word = /^[^\s:,[\]{}]+/u.exec(text.slice(offset))?.[0] ?? "";
	return [offset, Math.min(text.length, offset + Math.max(1, word.length))];
}

/** A word between commas; the whole value where it is not found as it is. */
function wordIn(text: string, span: Span | undefined, word: string): Span | undefined {
	if (span === undefined) return undefined;
	let [at] = span;
	for (const part of text.slice(...span).split(",")) {
		if (part.replaceAll(/^["'\s]+|["'\s]+$/gu, "") === word) {
			const from = at + part.indexOf(word);
			return [from, from + word.length];
		}
		at += part.length + 1;
	}
	return span;
}
