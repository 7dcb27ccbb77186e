import path from "node:path";
import * as vscode from "vscode";
import { openFolders } from "../adapters/folders.ts";

/** One of the window's folders: the only one, or the one the person picks, that of the active editor first. Null = none is open. */
export async function pickFolder(placeHolder: string): Promise<string | null | undefined> {
	const [first = null, ...others] = openFolders();
	if (others.length === 0) return first;
	const active = vscode.window.activeTextEditor?.document.uri;
	const activeFolder = active && vscode.workspace.getWorkspaceFolder(active)?.uri.fsPath;
	const folders = [first, ...others].filter((folder) => folder !== null);
	folders.sort((a, b) => Number(b === activeFolder) - Number(a === activeFolder));
	const items = folders.map((folder) => ({ label: path.basename(folder), description: folder, folder }));
	return (await vscode.window.showQuickPick(items, { placeHolder, ignoreFocusOut: true }))?.folder;
}
