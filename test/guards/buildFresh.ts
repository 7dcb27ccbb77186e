import { cpSync } from "node:fs";
import path from "node:path";
import { projectRoot } from "../vscode/paths.ts";
import { projectFiles } from "./projectFiles.ts";
import { runScript } from "./runTool.ts";

/**
 * Builds for production what a fresh checkout holds, in a folder of its own: the checkout's `dist` stays as it is, for
 * whoever is using it.
 */
export async function buildFresh(folder: string): Promise<void> {
	for (const file of projectFiles()) cpSync(path.join(projectRoot, file), path.join(folder, file));
	await runScript("esbuild.mjs", ["--production"], folder);
}
