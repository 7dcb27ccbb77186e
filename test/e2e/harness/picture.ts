import fs from "node:fs";
import path from "node:path";
import { cacheDir, projectRoot } from "../../vscode/paths.ts";

/** Where a picture for the README goes: into `media` with `UPDATE=1`, else aside, so that a test run changes no tracked file. */
export function picture(name: string): string {
	const folder = process.env["UPDATE"] === "1" ? path.join(projectRoot, "media") : path.join(cacheDir, "pictures");
	fs.mkdirSync(folder, { recursive: true });
	return path.join(folder, `${name}.png`);
}
