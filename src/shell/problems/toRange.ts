import * as vscode from "vscode";
import type { TextRange } from "../../core/base/textEdit.ts";

/** VS Code counts from 0. What concerns a whole file is shown on its first line. */
export function toRange({ line = 1, column = 1, endLine, endColumn }: Partial<TextRange>): vscode.Range {
	return new vscode.Range(
		line - 1,
		column - 1,
		(endLine ?? line) - 1,
		endColumn === undefined ? Number.MAX_SAFE_INTEGER : endColumn - 1,
	);
}
