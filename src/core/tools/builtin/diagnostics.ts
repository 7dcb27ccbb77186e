import * as z from "zod";
import { type LanguagesPort, severities, type CodeDiagnostic } from "../../ports/languages.ts";
import { defineTool } from "../defineTool.ts";
import { shorten } from "../shorten.ts";
import type { Tool, ToolContext, ToolResult } from "../tool.ts";
import { failed, succeeded } from "../toolResult.ts";
import { describePlaces, visiblePlaces } from "./codePlaces.ts";
import { displayPath } from "./displayPath.ts";
import { findSearchPathProblem } from "./findSearchPathProblem.ts";

const maxMessageLength = 500;

const Input = z.strictObject({
	path: z.string().default(".").meta({ description: "The file or folder. Default: the workspace folder." }),
	severity: z
		.enum(severities)
		.default("warning")
		.meta({ description: 'The least grave ones to show. "hint" shows all. Default: "warning".' }),
});

/** What VS Code's Problems view shows, for the files that the run may read. */
export function createDiagnostics(languages: LanguagesPort): Tool {
	return defineTool({
		name: "diagnostics",
		description:
			"Gives the errors and warnings that the editor's language services know of, one a line: " +
			"file:line:column: severity: message (source), sorted. Most services look only at files that are open in the " +
			"editor, and take a moment after a change: none does not prove that the code is right.",
		input: Input,
		effect: ({ path }) => ({ kind: "read", path }),
		subject: ({ path }) => path,
		execute: ({ severity }, context) => list(languages, severities.indexOf(severity), context),
	});
}

async function list(languages: LanguagesPort, least: number, context: ToolContext): Promise<ToolResult> {
	const { path, root } = context;
	const pathProblem = await findSearchPathProblem(path);
	if (pathProblem !== undefined) return failed(`${displayPath(root, path)} ${pathProblem}`);
	const all = visiblePlaces(languages.diagnostics(), "diagnostics", context);
	const grave = all.filter(({ severity }) => severities.indexOf(severity) <= least);
	const less = all.length - grave.length;
	const rest = less === 0 ? "" : `${less} less grave not shown.`;
	if (grave.length === 0) return succeeded(["The editor knows of none.", rest].filter(Boolean).join(" "));
	const text = describePlaces(grave, root, { describe, advice: "Name a file or a folder in path." });
	return succeeded(rest === "" ? text : `${text}\n\n[${rest}]`);
}

function describe({ severity, message, source }: CodeDiagnostic): string {
	return `${severity}: ${shorten(message, maxMessageLength)}${source === undefined ? "" : ` (${shorten(source, 80)})`}`;
}
