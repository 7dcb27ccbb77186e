/** A part of a text, as editors count: lines and columns from 1, columns in UTF-16 units, the end exclusive. */
export interface TextRange {
	readonly line: number;
	readonly column: number;
	readonly endLine: number;
	readonly endColumn: number;
}

/** One change of one file. An empty range inserts. */
export interface TextEdit {
	/** Absolute path. */
	readonly file: string;
	readonly range: TextRange;
	readonly newText: string;
}

/** A way to repair a problem, as data: whoever offers it applies it. The title completes a menu. */
export type Fix =
	| { readonly title: string; readonly edits: readonly TextEdit[] }
	| { readonly title: string; readonly rename: FileRename }
	/** The text first, then the name. */
	| { readonly title: string; readonly edits: readonly TextEdit[]; readonly rename: FileRename };

/** Absolute paths. What is there already is not replaced. */
export interface FileRename {
	readonly from: string;
	readonly to: string;
}

/** The text after edits that do not overlap. They are about the text as it was, so their order does not matter. */
export function applyTextEdits(text: string, edits: readonly Omit<TextEdit, "file">[]): string {
	const starts = lineStarts(text);
	const offsetOf = (line: number, column: number) => (starts[line - 1] ?? text.length) + column - 1;
	const changes = edits
		.map(({ range, newText }) => ({
			from: offsetOf(range.line, range.column),
			to: offsetOf(range.endLine, range.endColumn),
			newText,
		}))
		.toSorted((one, other) => other.from - one.from);
	return changes.reduce((changed, { from, to, newText }) => changed.slice(0, from) + newText + changed.slice(to), text);
}

/** Turns offsets into ranges. The lines are counted once, so that many ranges of one text cost little. */
export function rangesIn(text: string): (from: number, to: number) => TextRange {
	const starts = lineStarts(text);
	const placeOf = (offset: number) => {
		const line = countUpTo(offset, starts);
		return { line, column: offset - (starts[line - 1] ?? 0) + 1 };
	};
	return (from, to) => {
		const end = placeOf(to);
		return { ...placeOf(from), endLine: end.line, endColumn: end.column };
	};
}

function lineStarts(text: string): readonly number[] {
	return [0, ...Array.from(text.matchAll(/\n/gu), ({ index }) => index + 1)];
}

/** How many of these ascending numbers are at most `limit`. */
function countUpTo(limit: number, ascending: readonly number[]): number {
	let low = 0;
	let high = ascending.length;
	while (low < high) {
		const middle = (low + high) >> 1;
		if ((ascending[middle] ?? 0) <= limit) low = middle + 1;
		else high = middle;
	}
	return low;
}
