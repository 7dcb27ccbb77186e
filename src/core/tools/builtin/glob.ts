import * as z from "zod";
import { defineTool } from "../defineTool.ts";
import type { Tool, ToolContext, ToolResult } from "../tool.ts";
import { failed, succeeded } from "../toolResult.ts";
import { displayPath } from "./displayPath.ts";
import { findSearchPathProblem, isMissingProgram, takeFitting } from "./findSearchPathProblem.ts";
import { listWithRipgrep, type ListingResult } from "./runRipgrep.ts";

const maxShown = 1_000;
/** So many are found and sorted before the first of them are shown. */
const maxFiles = 50_000;
/** Leaves room for the line that says what is missing. */
const maxBytes = 30 * 1024 - 200;

const Input = z.strictObject({
	pattern: z
		.string()
		.min(1)
		.max(500)
		.meta({ description: 'Which files, such as "*.ts" for any folder or "src/**/*.test.ts".' }),
	path: z.string().default(".").meta({ description: "The folder to look in. Default: the workspace folder." }),
});

/** Finds files by their name, with ripgrep, whose program is given by whoever has one. */
export function createGlob(ripgrepPath: string | undefined): Tool {
	return defineTool({
		name: "glob",
		description:
			"Finds files of the workspace by their path. They come back one a line, sorted. The pattern starts at the " +
			"workspace folder; without a slash it fits names in any folder. Files in folders that .gitignore names are left out. " +
			`Shows at most ${maxShown} files or 30 KB.`,
		input: Input,
		effect: ({ path }) => ({ kind: "read", path }),
		subject: ({ pattern, path }) => (path === "." ? pattern : `${pattern} in ${path}`),
		execute: ({ pattern }, context) => find(ripgrepPath, pattern, context),
	});
}

async function find(
	ripgrepPath: string | undefined,
	glob: string,
	{ path, root, signal, leavesOut }: ToolContext,
): Promise<ToolResult> {
	if (ripgrepPath === undefined) return failed(ripgrepMissing);
	const pathProblem = await findSearchPathProblem(path);
	if (pathProblem !== undefined) return failed(`${displayPath(root, path)} ${pathProblem}`);
	let result: ListingResult;
	try {
		result = await listWithRipgrep(ripgrepPath, { path, root, glob, maxFiles, signal });
	} catch (error) {
		if (signal.aborted || !isMissingProgram(error)) throw error;
		return failed(ripgrepMissing);
	}
	const paths = result.paths.filter((each) => !leavesOut(each, "glob"));
	if (paths.length > 0) return succeeded(describeFiles({ ...result, paths }, root));
	if (result.complaint !== "") return failed(`${result.complaint}\nCorrect the pattern, and try again.`);
	return succeeded("No files found. Those that .gitignore names were left out.");
}

const ripgrepMissing = "ripgrep was not found, so glob cannot search. Use list_dir instead.";

function describeFiles({ paths, isCutShort }: ListingResult, root: string): string {
	// A name may hold a line break, and must not pass for two files.
	const names = paths.map((path) => displayPath(root, path).replaceAll(/\p{Cc}/gu, "\uFFFD"));
	const lines = names.toSorted((a, b) => (a < b ? -1 : a > b ? 1 : 0));
	const shown = takeFitting(lines.slice(0, maxShown), maxBytes);
	const left = lines.length - shown.length + (isCutShort ? 1 : 0);
	if (left === 0) return shown.join("\n");
	const more = `${isCutShort ? "At least " : ""}${left} more not shown`;
	return `${shown.join("\n")}\n\n[${more}. Narrow the pattern or the path.]`;
}
