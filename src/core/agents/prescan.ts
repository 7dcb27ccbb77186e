import { rangesIn, type TextRange } from "../base/textEdit.ts";
import type { TextProblem } from "./agentProblem.ts";
import { decodeSource } from "./decodeSource.ts";
import { findYamlHazard, type YamlHazard } from "./yamlHazard.ts";

/** What frontmatter may be at most. The line count keeps gray-matter's regular expressions fast. */
export const frontmatterLimits = { bytes: 16_384, lines: 1_000, depth: 20 } as const;

export type Prescan =
	| { readonly isSafe: true; readonly text: string }
	| { readonly isSafe: false; readonly problem: TextProblem };

/**
 * Looks at a file's bytes before any parser does, because the parsers behind it trust their input: gray-matter evaluates
 * what follows `---js`, and YAML's aliases expand without bound.
 *
 * Guarantees for a safe text: it is UTF-8 without NUL and without BOM; it begins with a line `---` and has a closing
 * line `---`; what is between them is small, shallow and free of anchors. Leaves to others whether it is valid YAML.
 */
export function prescan(bytes: Uint8Array): Prescan {
	const source = decodeSource(bytes);
	return "problem" in source ? { isSafe: false, problem: source.problem } : prescanText(source.text);
}

/** The same for a text that `decodeSource` has let through. */
export function prescanText(text: string): Prescan {
	const opening = lineAt(text, 0);
	const openingRange = { line: 1, column: 1, endLine: 1, endColumn: opening.length + 1 };
	if (opening !== "---") {
		return refuse(
			"agent.noFrontmatter",
			`The first line must be exactly \`---\`, followed by YAML and a closing \`---\`; it is ${JSON.stringify(opening.slice(0, 40))}. No other language is read.`,
			openingRange,
		);
	}
	const start = text.indexOf("\n") + 1;
	const closing = start === 0 ? -1 : text.indexOf("\n---", start - 1);
	if (closing < 0) {
		const message = "The frontmatter has no end. Close it with a line that is exactly `---`.";
		return refuse("agent.unclosed", message, openingRange);
	}
	const closingLine = lineAt(text, closing + 1);
	if (closingLine !== "---") {
		return refuse(
			"agent.unclosed",
			`The line that closes the frontmatter must be exactly \`---\`; it is ${JSON.stringify(closingLine.slice(0, 40))}.`,
			rangesIn(text)(closing + 1, closing + 1 + closingLine.length),
		);
	}
	return checkFrontmatter(text, text.slice(start, closing + 1), openingRange);
}

function checkFrontmatter(text: string, frontmatter: string, openingRange: TextRange): Prescan {
	const { bytes, lines, depth } = frontmatterLimits;
	const hazard = findYamlHazard(frontmatter, depth);
	if (hazard?.kind === "depth") return describeHazard(hazard);
	if (Buffer.byteLength(frontmatter) <= bytes && frontmatter.split("\n").length <= lines) {
		return hazard === undefined ? { isSafe: true, text } : describeHazard(hazard);
	}
	const message = `The frontmatter may have at most ${bytes / 1024} KB and ${lines} lines. Move long text below the closing \`---\`.`;
	return refuse("agent.tooLarge", message, openingRange);
}

function describeHazard({ kind, sign, line, column }: YamlHazard): Prescan {
	// The opening fence is the line before.
	const range = { line: line + 1, column, endLine: line + 1, endColumn: column + 1 };
	if (kind === "depth") {
		const message = `The frontmatter is nested more than ${frontmatterLimits.depth} levels deep. An agent file needs two.`;
		return refuse("agent.depth", message, range);
	}
	const message = `\`${sign}\` begins a YAML anchor or alias, which agent files may not use. Write the value out, or put it in quotes if it is text.`;
	return refuse("agent.alias", message, range);
}

function lineAt(text: string, start: number): string {
	const end = text.indexOf("\n", start);
	return text.slice(start, end < 0 ? undefined : end).replace(/\r$/u, "");
}

function refuse(code: string, message: string, range: TextRange): Prescan {
	return { isSafe: false, problem: { severity: "error", code, message, ...range } };
}
