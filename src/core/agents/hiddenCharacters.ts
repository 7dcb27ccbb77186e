import { rangesIn } from "../base/textEdit.ts";
import type { TextProblem } from "./agentProblem.ts";

/** A flag of a region is a black flag, letters of its name as tags, and the tag that ends it. */
const flag = "\\u{1F3F4}[\\u{E0030}-\\u{E0039}\\u{E0061}-\\u{E007A}]+\\u{E007F}";

/** Joiners belong between the parts of an emoji, and between letters of the scripts that are written with them. */
const strayJoiner =
	"(?<!\\p{Extended_Pictographic}|\\p{Emoji_Modifier}|\\uFE0F|\\p{M}|(?!\\p{Script=Latin})\\p{L})[\\u200C\\u200D]";

/** What can't be seen, or changes the order in which text is seen: controls, direction marks, zero width, tags. */
const hidden =
	"[\\u0001-\\u0008\\u000B\\u000E-\\u001F\\u007F\\u200B\\u200E\\u200F\\u202A-\\u202E\\u2060-\\u206F\\uFEFF\\u{E0000}-\\u{E0FFF}]";

const selectors = "[\\uFE00-\\uFE0F]{2,}";

const pattern = new RegExp(`${flag}|(?<hidden>(?:${hidden}|${strayJoiner}|${selectors})+)`, "gu");

/**
 * Finds what a model reads in a text and a person can't see: the means to hide instructions in a file. Emoji, flags, and
 * the joiners that some scripts need are left alone. Undefined when there is nothing to report.
 */
export function findHiddenCharacters(text: string): TextProblem | undefined {
	const found = Array.from(text.matchAll(pattern)).flatMap(({ index, groups }) =>
		groups?.["hidden"] === undefined ? [] : [{ index, characters: groups["hidden"] }],
	);
	if (found.length === 0) return undefined;
	const codePoints = new Set(found.flatMap(({ characters }) => Array.from(characters, codePointOf)));
	const rangeOf = rangesIn(text);
	const ranges = found.map(({ index, characters }) => rangeOf(index, index + characters.length));
	return {
		severity: "error",
		code: "agent.hiddenCharacters",
		message: `The file has characters that can't be seen (${[...codePoints].join(", ")}), where instructions can hide. It is not loaded until they are removed.`,
		...ranges[0],
		fixes: [{ title: "Remove the hidden characters", edits: ranges.map((range) => ({ range, newText: "" })) }],
	};
}

function codePointOf(character: string): string {
	return `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}`;
}
