import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { projectRoot } from "../../vscode/paths.ts";

/** A fresh copy of the sample workspace, as `name`, in a temporary folder of its own. */
export function sampleWorkspace(name = "shop"): string {
	const parent = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), "muster-sample-")));
	const folder = path.join(parent, name);
	fs.cpSync(path.join(projectRoot, "test/fixtures/sample"), folder, { recursive: true });
	return folder;
}
