/**
 * Everything that is loaded only when the first view, command or stored run needs it: the core with its store and
 * parsers. `compose.ts` imports this file dynamically.
 */
import * as vscode from "vscode";
import { systemClock } from "../core/ports/clock.ts";
import type { Logger } from "../core/ports/logger.ts";
import { Runtime } from "../core/runtime.ts";
import { storeFolder } from "../core/store/storeFolder.ts";
import { readCatalogSettings } from "./adapters/catalogSettings.ts";
import { findRipgrep } from "./adapters/findRipgrep.ts";
import { dataFolder, homeFolder } from "./adapters/folders.ts";
import { getOwnSetting, getSetting } from "./adapters/settings.ts";
import { vscodeBrowser } from "./adapters/vscodeBrowser.ts";
import { vscodeEditor } from "./adapters/vscodeEditor.ts";
import { vscodeLanguages } from "./adapters/vscodeLanguages.ts";
import type { EditorModels } from "./models/editorModels.ts";

/** Opens the runtime of one workspace folder, or of no folder. */
export async function openRuntime(
	repoFolder: string | null,
	extensionUri: vscode.Uri,
	models: EditorModels,
	logger: Logger,
): Promise<Runtime> {
	const warn = (message: string) => logger.warn(message);
	return Runtime.open({
		clock: systemClock,
		logger,
		models: models.registry,
		hostKind: "window",
		workerFile: new URL(vscode.Uri.joinPath(extensionUri, "dist", "databaseWorker.js").toString(true)),
		storeFolder: storeFolder(dataFolder(), repoFolder),
		homeFolder: homeFolder(),
		repoFolder,
		ripgrepPath: findRipgrep(vscode.env.appRoot),
		catalogSettings: () => readCatalogSettings(repoFolder),
		dataFolder: dataFolder(),
		editor: vscodeEditor,
		languages: vscodeLanguages,
		secrets: models.secrets,
		signInBrowser: vscodeBrowser,
		findSearch: () => models.findSearch(),
		edits: () => getSetting("edits", warn),
		expireAfterMinutes: () => getSetting("approvals.expireAfterMinutes", warn),
		planApprover: () => getSetting("plan.approver", warn),
		isTrusted: () => vscode.workspace.isTrusted,
		laneLimit: () => getOwnSetting("lanes.subagent", warn),
		mainLaneLimit: () => getSetting("lanes.main", warn),
		archiveAfterMinutes: () => getOwnSetting("archiveAfterMinutes", warn),
	});
}
