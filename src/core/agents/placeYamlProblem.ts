import type { TextRange } from "../base/textEdit.ts";
import type { TextProblem } from "./agentProblem.ts";
import { locateInFrontmatter } from "./locateInFrontmatter.ts";

/** A plain text with a colon in it, which YAML takes for another key. */
const looseColon = /^(?<key>\s*[\w-]+:\s+)(?<value>[^\s"'|>[{&*!#%@`].*:\s.*\S)\s*$/u;

/**
 * Where invalid YAML is wrong, as exactly as the second parser says, and what to do about the most frequent mistake. The
 * text has passed `prescan`.
 */
export async function placeYamlProblem(problem: TextProblem, text: string): Promise<TextProblem> {
	const { mistake } = await locateInFrontmatter(text);
	const line = mistake?.line ?? problem.line ?? 1;
	const groups = looseColon.exec(text.split("\n")[line - 1] ?? "")?.groups;
	if (groups === undefined) return { ...problem, ...mistake };
	const { key = "", value = "" } = groups;
	const column = key.length + 1;
	const range: TextRange = { line, column, endLine: line, endColumn: column + value.length };
	return {
		...problem,
		...range,
		message: `${problem.message} A text with a colon needs quotes around it.`,
		fixes: [{ title: "Put quotes around it", edits: [{ range, newText: `'${value.replaceAll("'", "''")}'` }] }],
	};
}
