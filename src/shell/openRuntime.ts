/**
 * Everything that is loaded only when the first view, command or stored run needs it: the core with its store, models and
 * parsers. `compose.ts` imports this file dynamically.
 */
import { readFile } from "node:fs/promises";
import * as vscode from "vscode";
import { messageOf, ProblemError } from "../core/base/errors.ts";
import { createDemoProvider } from "../core/models/demoModel.ts";
import { parseDemoScript, type DemoScript } from "../core/models/demoScript.ts";
import { ModelRegistry } from "../core/models/modelRegistry.ts";
import { systemClock } from "../core/ports/clock.ts";
import type { Logger } from "../core/ports/logger.ts";
import { Runtime } from "../core/runtime.ts";
import { storeFolder } from "../core/store/storeFolder.ts";
import { readCatalogSettings } from "./adapters/catalogSettings.ts";
import { findRipgrep } from "./adapters/findRipgrep.ts";
import { dataFolder, homeFolder } from "./adapters/folders.ts";
import { getSetting } from "./adapters/settings.ts";

/** Opens the runtime of one workspace folder, or of no folder. */
export async function openRuntime(
	repoFolder: string | null,
	extensionUri: vscode.Uri,
	logger: Logger,
): Promise<Runtime> {
	const warn = (message: string) => logger.warn(message);
	return Runtime.open({
		clock: systemClock,
		logger,
		models: await createModels(logger),
		hostKind: "window",
		workerFile: new URL(vscode.Uri.joinPath(extensionUri, "dist", "databaseWorker.js").toString(true)),
		storeFolder: storeFolder(dataFolder(), repoFolder),
		homeFolder: homeFolder(),
		repoFolder,
		ripgrepPath: findRipgrep(vscode.env.appRoot),
		catalogSettings: () => readCatalogSettings(repoFolder),
		isTrusted: () => vscode.workspace.isTrusted,
		laneLimit: () => getSetting("lanes.subagent", warn),
	});
}

async function createModels(logger: Logger): Promise<ModelRegistry> {
	const warn = (message: string) => logger.warn(message);
	const script = await readDemoScript(getSetting("demo.script", warn));
	const demo = createDemoProvider({
		pace: getSetting("demo.pace", warn),
		clock: systemClock,
		...(script && { script }),
	});
	return new ModelRegistry([demo], "demo/demo");
}

async function readDemoScript(file: string): Promise<DemoScript | undefined> {
	if (file === "") return undefined;
	const setting = { kind: "openSetting", setting: "muster.demo.script" } as const;
	const text = await readFile(file, "utf8").catch((error: unknown) => {
		throw new ProblemError({
			code: "demo.script",
			message: `The demo model's script could not be read: ${messageOf(error)}`,
			remedies: [setting],
		});
	});
	const { script, problems } = parseDemoScript(text);
	if (!script) {
		const reasons = problems.map(({ message }) => message).join("; ");
		throw new ProblemError({
			code: "demo.script",
			message: `The demo model's script ${file} cannot be used: ${reasons}`,
			remedies: [setting],
		});
	}
	return script;
}
