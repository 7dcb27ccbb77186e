import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import type { DemoScript } from "../../../src/core/models/demoScript.ts";

/** A script for the demo model as a file, for the setting `muster.demo.script`. */
export function demoScript(scripts: DemoScript["scripts"]): string {
	const file = path.join(fs.mkdtempSync(path.join(os.tmpdir(), "muster-script-")), "script.json");
	fs.writeFileSync(file, JSON.stringify({ scripts }));
	return file;
}
