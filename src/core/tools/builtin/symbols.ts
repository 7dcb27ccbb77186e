import { lstat } from "node:fs/promises";
import * as z from "zod";
import type { CodeSymbol, LanguagesPort } from "../../ports/languages.ts";
import { withDeadline } from "../../ports/withDeadline.ts";
import { defineTool } from "../defineTool.ts";
import { shorten } from "../shorten.ts";
import type { Tool, ToolContext, ToolResult } from "../tool.ts";
import { failed, succeeded } from "../toolResult.ts";
import { describePlaces, visiblePlaces } from "./codePlaces.ts";
import { displayPath } from "./displayPath.ts";
import { findSearchPathProblem } from "./findSearchPathProblem.ts";

/** A language server that hangs keeps no run waiting. */
const timeLimitMs = 30_000;
const maxNameLength = 200;

const Input = z.strictObject({
	path: z
		.string()
		.default(".")
		.meta({ description: "A file, to see all that it defines, or a folder to search. Default: the workspace folder." }),
	query: z.string().max(500).default("").meta({
		description: "A part of the symbol's name. Without it a file's symbols are all listed; a folder needs it.",
	}),
});

/** What VS Code's outline of a file and its search for symbols show, for the files that the run may read. */
export function createSymbols(languages: LanguagesPort): Tool {
	return defineTool({
		name: "symbols",
		description:
			"Finds classes, functions, variables and the like by the editor's language services, one a line: " +
			"file:line:column: kind name, in what it is part of; sorted. Give a file for its outline, or a query to search " +
			"by name. A language without a service gives nothing: use grep then.",
		input: Input,
		effect: ({ path }) => ({ kind: "read", path }),
		subject: ({ path, query }) => (query === "" ? path : path === "." ? query : `${query} in ${path}`),
		execute: ({ query }, context) => find(languages, query.trim(), context),
	});
}

async function find(languages: LanguagesPort, query: string, context: ToolContext): Promise<ToolResult> {
	const { path, root, clock, signal } = context;
	const pathProblem = await findSearchPathProblem(path);
	if (pathProblem !== undefined) return failed(`${displayPath(root, path)} ${pathProblem}`);
	const isFile = (await lstat(path)).isFile();
	if (!isFile && query === "") return failed("Say in query what to look for, or in path in which file.");
	const ask = () => (isFile ? languages.symbolsOf(path) : languages.findSymbols(query));
	const late = () => new Error(`the language service gave no answer within ${timeLimitMs / 1_000} s`);
	const found = await withDeadline(ask, { clock, ms: timeLimitMs, signal, late });
	const wanted = query.toLowerCase();
	// Among all files the service itself decides what a query fits.
	const fitting = isFile ? found.filter(({ name }) => name.toLowerCase().includes(wanted)) : found;
	const symbols = visiblePlaces(fitting, "symbols", context);
	if (symbols.length === 0)
		return succeeded("No symbols found. Where a language has no service in the editor, use grep.");
	return succeeded(
		describePlaces(symbols, root, { describe, advice: "Say in query what to look for, or in path where." }),
	);
}

function describe({ name, kind, container }: CodeSymbol): string {
	const place = container === undefined || container === "" ? "" : `, in ${shorten(container, maxNameLength)}`;
	return `${kind} ${shorten(name, maxNameLength)}${place}`;
}
