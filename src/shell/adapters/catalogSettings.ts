import * as vscode from "vscode";
import type { CatalogSettings } from "../../core/catalog/discoverCatalog.ts";
import { repoSettingsTables, settingsTables } from "../../core/config/settingsTables.ts";

/**
 * What the settings say about agents and their configuration, level by level: merged by VS Code, a workspace's values could
 * not be told from the user's. Of an untrusted workspace nothing is read.
 */
export function readCatalogSettings(folder: string | null): CatalogSettings {
	const scope = folder === null ? null : vscode.Uri.file(folder);
	const configuration = vscode.workspace.getConfiguration("muster", scope);
	const pick = (level: ValueLevel, names: readonly string[]) =>
		Object.fromEntries(
			names
				.map((name) => [name, configuration.inspect<unknown>(name)?.[level]] as const)
				.filter(([, value]) => value !== undefined),
		);
	const { isTrusted, workspaceFile } = vscode.workspace;
	// Without a workspace file, the folder's settings are the workspace's, and VS Code tells them twice.
	const isFolderApart = isTrusted && workspaceFile !== undefined;
	const rolesDir = configuration.inspect<unknown>("rolesDir")?.globalValue;
	return {
		...(typeof rolesDir === "string" && rolesDir.trim() !== "" && { rolesDir }),
		settings: {
			user: pick("globalValue", settingsTables),
			...(isTrusted && { workspace: pick("workspaceValue", repoSettingsTables) }),
			...(isFolderApart && { folder: pick("workspaceFolderValue", repoSettingsTables) }),
		},
	};
}

type ValueLevel = "globalValue" | "workspaceValue" | "workspaceFolderValue";
