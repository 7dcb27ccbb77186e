import * as vscode from "vscode";
import { ProblemError } from "../../core/base/errors.ts";
import type { WorkspaceCatalogs } from "../catalog/workspaceCatalogs.ts";
import type { WorkspaceRuntimes } from "../workspaceRuntimes.ts";
import { spawn } from "./spawnCommand.ts";

/** Longer selections are read from the file by the subagent itself. */
const quotedCharacters = 20_000;

/** Spawns with what is selected in the editor as context: where it stands, and its words as they are on the screen. */
export async function spawnOnSelection(
	runtimes: WorkspaceRuntimes,
	catalogs: WorkspaceCatalogs,
): Promise<string | undefined> {
	const editor = vscode.window.activeTextEditor;
	if (!editor) {
		const message = "There is no text editor to take a selection from. Open a file, select something, and try again.";
		throw new ProblemError({ code: "selection.noEditor", message });
	}
	return spawn(runtimes, catalogs, { context: describeSelection(editor) });
}

/** Nothing selected means the line that the cursor is in. */
function describeSelection({ document, selection }: vscode.TextEditor): string {
	const range = selection.isEmpty ? document.lineAt(selection.active.line).range : selection;
	const text = document.getText(range);
	const file = document.uri.scheme === "file" ? vscode.workspace.asRelativePath(document.uri) : document.fileName;
	const [from, to] = [range.start.line + 1, range.end.line + 1];
	const place = `The person has selected ${from === to ? `line ${from}` : `lines ${from} to ${to}`} of ${file}`;
	const unsaved = document.isDirty ? ", which has unsaved changes" : "";
	if (text.length > quotedCharacters) return `${place}${unsaved}. Read it there: it is too long to be quoted.`;
	const fence = "`".repeat(Math.max(3, longestFence(text) + 1));
	return `${place}${unsaved}:\n\n${fence}${document.languageId}\n${text}\n${fence}`;
}

function longestFence(text: string): number {
	return Math.max(0, ...[...text.matchAll(/`+/gu)].map(([ticks]) => ticks.length));
}
