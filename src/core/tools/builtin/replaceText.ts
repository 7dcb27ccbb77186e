import { describeNearestLines } from "./describeNearestLines.ts";

export interface Replacement {
	readonly oldString: string;
	readonly newString: string;
	readonly replaceAll: boolean;
}

export type ReplacedText =
	/** `lines` are where the replaced parts began, counted from 1 in the text as it was before each. */
	| { readonly ok: true; readonly text: string; readonly lines: readonly number[] }
	/** For the model, as a sentence of its own; `index` is the replacement at fault. */
	| { readonly ok: false; readonly problem: string; readonly index: number };

/**
 * Replaces one after the other; each sees what the ones before it did. All or none.
 *
 * Models see and write plain line ends, so these match Windows ones too. What is not replaced stays byte for byte, and
 * what is put in gets the line ends that the text mostly has.
 */
export function replaceText(text: string, replacements: readonly Replacement[]): ReplacedText {
	const lineEnd = mostLineEnds(text);
	const lines: number[] = [];
	let current = text;
	for (const [index, replacement] of replacements.entries()) {
		const source = new PlainLineEnds(current);
		const wanted = toPlain(replacement.oldString);
		const inserted = toPlain(replacement.newString);
		if (wanted === "") return { ok: false, index, problem: "old_string is empty." };
		if (wanted === inserted) return { ok: false, index, problem: "old_string and new_string are the same." };
		const places = findAll(source.plain, wanted);
		const problem = findProblem(source.plain, wanted, places, replacement.replaceAll);
		if (problem !== undefined) return { ok: false, index, problem };
		lines.push(...lineNumbers(source.plain, places));
		current = source.splice(places, wanted.length, inserted.replaceAll("\n", lineEnd));
	}
	return { ok: true, text: current, lines };
}

/** A text with plain line ends that remembers where the others were. */
class PlainLineEnds {
	readonly plain: string;
	readonly #raw: string;
	/** Where in the plain text a line end was CRLF, ascending. */
	readonly #windowsEnds: readonly number[];

	constructor(raw: string) {
		this.#raw = raw;
		this.#windowsEnds = Array.from(raw.matchAll(/\r\n/gu), ({ index }, count) => index - count);
		this.plain = toPlain(raw);
	}

	/** The raw text with other text at these places of the plain one. */
	splice(places: readonly number[], length: number, inserted: string): string {
		const pieces: string[] = [];
		let passed = 0;
		let end = 0;
		const toRaw = (place: number) => {
			while ((this.#windowsEnds[passed] ?? Infinity) < place) passed++;
			return place + passed;
		};
		for (const place of places) {
			pieces.push(this.#raw.slice(end, toRaw(place)), inserted);
			end = toRaw(place + length);
		}
		return [...pieces, this.#raw.slice(end)].join("");
	}
}

function toPlain(text: string): string {
	return text.replaceAll("\r\n", "\n");
}

function mostLineEnds(text: string): "\n" | "\r\n" {
	const windows = text.split("\r\n").length - 1;
	const all = text.split("\n").length - 1;
	return windows > all - windows ? "\r\n" : "\n";
}

function findAll(text: string, wanted: string): readonly number[] {
	const places: number[] = [];
	for (let at = text.indexOf(wanted); at !== -1; at = text.indexOf(wanted, at + wanted.length)) places.push(at);
	return places;
}

const maxNamed = 10;

function findProblem(text: string, wanted: string, places: readonly number[], all: boolean): string | undefined {
	if (places.length === 0) return `old_string was not found. ${describeNearestLines(text, wanted)}`;
	if (places.length === 1 || all) return undefined;
	const named = lineNumbers(text, places.slice(0, maxNamed)).join(", ");
	const more = places.length > maxNamed ? ", …" : "";
	return (
		`old_string occurs ${places.length} times, in lines ${named}${more}. ` +
		"Give more of the text around the one that you mean, or set replace_all."
	);
}

/** The places are ascending. */
function lineNumbers(text: string, places: readonly number[]): number[] {
	let line = 1;
	let from = 0;
	return places.map((place) => {
		for (let at = text.indexOf("\n", from); at !== -1 && at < place; at = text.indexOf("\n", from)) {
			line++;
			from = at + 1;
		}
		return line;
	});
}
