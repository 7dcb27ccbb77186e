import * as z from "zod";
import { defineTool } from "../defineTool.ts";
import { shorten } from "../shorten.ts";
import type { Tool, ToolContext, ToolResult } from "../tool.ts";
import { failed, succeeded } from "../toolResult.ts";
import { displayPath } from "./displayPath.ts";
import { findSearchPathProblem, isMissingProgram, takeFitting } from "./findSearchPathProblem.ts";
import { runRipgrep, type SearchResult } from "./runRipgrep.ts";

const maxHits = 1_000;
const maxLineLength = 200;
/** Leaves room for the line that says what is missing. */
const maxBytes = 30 * 1024 - 200;

const Input = z.strictObject({
	pattern: z
		.string()
		.min(1)
		.max(2_000)
		.meta({ description: "A regular expression in Rust's syntax, matched line by line." }),
	path: z.string().default(".").meta({ description: "The folder or file to search. Default: the workspace folder." }),
	glob: z
		.string()
		.min(1)
		.max(500)
		.optional()
		.meta({ description: 'Which files to search, such as "*.ts" or "!test/**".' }),
	ignoreCase: z.boolean().default(false).meta({ description: "Whether capital and small letters match each other." }),
});

/** Searches with ripgrep, whose program is given by whoever has one; without it the tool says how to do without. */
export function createGrep(ripgrepPath: string | undefined): Tool {
	return defineTool({
		name: "grep",
		description:
			"Searches the text of files in the workspace. Each match comes back as path:line:text, sorted by path. " +
			"Files that .gitignore names and binary files are left out. " +
			`Shows at most ${maxHits} matches or 30 KB, and the first ${maxLineLength} characters of a line.`,
		input: Input,
		effect: ({ path }) => ({ kind: "read", path }),
		subject: ({ pattern, path }) => (path === "." ? pattern : `${pattern} in ${path}`),
		execute: (input, context) => search(ripgrepPath, input, context),
	});
}

async function search(
	ripgrepPath: string | undefined,
	input: z.infer<typeof Input>,
	{ path, root, signal, leavesOut }: ToolContext,
): Promise<ToolResult> {
	if (ripgrepPath === undefined) return failed(ripgrepMissing);
	const pathProblem = await findSearchPathProblem(path);
	if (pathProblem !== undefined) return failed(`${displayPath(root, path)} ${pathProblem}`);
	let result: SearchResult;
	try {
		const { pattern, glob, ignoreCase } = input;
		result = await runRipgrep(ripgrepPath, { pattern, path, root, glob, ignoreCase, maxHits, signal });
	} catch (error) {
		if (signal.aborted || !isMissingProgram(error)) throw error;
		return failed(ripgrepMissing);
	}
	const hits = result.hits.filter((hit) => !leavesOut(hit.path, "grep"));
	if (hits.length > 0) return succeeded(describeHits({ ...result, hits }, root));
	if (result.complaint !== "") return failed(`${result.complaint}\nCorrect the pattern or the glob, and search again.`);
	return succeeded("No matches found. Binary files and files that .gitignore names were not searched.");
}

const ripgrepMissing = "ripgrep was not found, so grep cannot search. Use list_dir and read_file instead.";

function describeHits({ hits, isCutShort }: SearchResult, root: string): string {
	const lines = hits
		.map((hit) => ({ ...hit, name: displayPath(root, hit.path) }))
		.toSorted((a, b) => (a.name === b.name ? a.line - b.line : a.name < b.name ? -1 : 1))
		.map(({ name, line, text }) => `${name}:${line}:${shorten(text, maxLineLength)}`);
	const shown = takeFitting(lines, maxBytes);
	const left = lines.length - shown.length + (isCutShort ? 1 : 0);
	if (left === 0) return shown.join("\n");
	const more = `${isCutShort ? "At least " : ""}${left} more not shown`;
	return `${shown.join("\n")}\n\n[${more}. Narrow the pattern, the path or the glob.]`;
}
