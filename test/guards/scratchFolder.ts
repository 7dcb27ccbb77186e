import { mkdtempSync, realpathSync, rmSync, symlinkSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll } from "vitest";
import { projectRoot } from "../vscode/paths.ts";

/** A folder for all tests of a file, from which the project's packages are found; gone when they are done. */
export function scratchFolder(): string {
	const folder = realpathSync(mkdtempSync(path.join(os.tmpdir(), "muster-guards-")));
	symlinkSync(path.join(projectRoot, "node_modules"), path.join(folder, "node_modules"));
	afterAll(() => rmSync(folder, { recursive: true, force: true }));
	return folder;
}
