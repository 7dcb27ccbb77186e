import * as vscode from "vscode";
import type { EditorPort } from "../../core/ports/editor.ts";
import { realPathOf } from "./realPathOf.ts";

/** The documents that are open in this window, by the real paths of their files. */
export const vscodeEditor: EditorPort = {
	dirtyText(path) {
		const document = findDirty(path);
		return document?.getText();
	},
	async applyEdit(path, newText) {
		const document = findDirty(path);
		if (!document) return false;
		const whole = new vscode.Range(document.positionAt(0), document.positionAt(document.getText().length));
		const edit = new vscode.WorkspaceEdit();
		edit.replace(document.uri, whole, newText);
		return vscode.workspace.applyEdit(edit);
	},
};

function findDirty(path: string): vscode.TextDocument | undefined {
	return vscode.workspace.textDocuments.find(
		({ uri, isDirty, isClosed }) => isDirty && !isClosed && uri.scheme === "file" && realPathOf(uri.fsPath) === path,
	);
}
