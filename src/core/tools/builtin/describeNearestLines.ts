import { shorten } from "../shorten.ts";

const maxShown = 8;
const maxLineLength = 200;
/** Enough for source code; a larger text is not worth the time. */
const maxLines = 20_000;
const maxWanted = 50;

/** Tells where a text comes closest to what was looked for in it, for whoever misremembers a space or a word. */
export function describeNearestLines(text: string, wanted: string): string {
	if (text === "") return "The file is empty. Use write_file to fill it.";
	const lines = text.split("\n").slice(0, maxLines);
	const wantedLines = wanted
		.replace(/^\n+|\n+$/gu, "")
		.split("\n")
		.slice(0, maxWanted);
	const start = findMostEqual(lines, wantedLines) ?? findMostSimilar(lines, wantedLines[0] ?? "");
	if (start === undefined) return "Nothing in the file looks like it. Read the file again.";
	const shown = lines.slice(start, start + Math.min(wantedLines.length, maxShown));
	const numbered = shown.map((line, index) => `${start + index + 1}\t${shorten(line, maxLineLength)}`);
	return `It must fit to the last space. The nearest lines are:\n${numbered.join("\n")}`;
}

/** Where the most lines are the same but for the space around them. */
function findMostEqual(lines: readonly string[], wanted: readonly string[]): number | undefined {
	const trimmed = lines.map((line) => line.trim());
	const wantedTrimmed = wanted.map((line) => line.trim());
	let best = { start: -1, score: 0 };
	for (let start = 0; start < trimmed.length; start++) {
		let score = 0;
		for (const [index, line] of wantedTrimmed.entries()) {
			if (line !== "" && trimmed[start + index] === line) score++;
		}
		if (score > best.score) best = { start, score };
	}
	return best.score > 0 ? best.start : undefined;
}

/** Where a line shares the most pairs of letters with the wanted one; at least half of them. */
function findMostSimilar(lines: readonly string[], wanted: string): number | undefined {
	const pairs = pairsOf(wanted);
	if (pairs.size === 0) return undefined;
	let best = { start: -1, score: 0.5 };
	for (const [start, line] of lines.entries()) {
		const others = pairsOf(line.slice(0, 1_000));
		const shared = [...pairs].filter((pair) => others.has(pair)).length;
		const score = (2 * shared) / (pairs.size + others.size);
		if (score > best.score) best = { start, score };
	}
	return best.start === -1 ? undefined : best.start;
}

function pairsOf(line: string): ReadonlySet<string> {
	const text = line.trim().toLowerCase();
	return new Set(Array.from({ length: Math.max(0, text.length - 1) }, (_, index) => text.slice(index, index + 2)));
}
