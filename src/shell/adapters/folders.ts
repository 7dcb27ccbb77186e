import os from "node:os";
import path from "node:path";
import * as vscode from "vscode";

/** The folder of Muster's databases, read without the settings' schema: it is needed before anything else is loaded. */
export function dataFolder(): string {
	return configuredFolder("dataDir") ?? path.join(os.homedir(), ".muster");
}

export function homeFolder(): string {
	return configuredFolder("homeDir") ?? os.homedir();
}

/** The window's workspace folders on disk, or one `null` when there is none. */
export function openFolders(): readonly (string | null)[] {
	const folders = (vscode.workspace.workspaceFolders ?? []).filter(({ uri }) => uri.scheme === "file");
	return folders.length > 0 ? folders.map(({ uri }) => uri.fsPath) : [null];
}

function configuredFolder(setting: "dataDir" | "homeDir"): string | undefined {
	const value = vscode.workspace.getConfiguration("muster").get<unknown>(setting);
	if (typeof value !== "string" || value.trim() === "") return undefined;
	return value.startsWith("~/") ? path.join(os.homedir(), value.slice(2)) : path.resolve(os.homedir(), value);
}
