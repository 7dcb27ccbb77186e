import assert from "node:assert/strict";
import * as vscode from "vscode";
import { Settings } from "../../../src/core/config/settings.ts";
import type { InHostTests } from "../harness/inHostTests.ts";

export const tests: InHostTests = {
	async "have the defaults in VS Code that the code has"() {
		const defaults: Record<string, unknown> = Settings.parse({});
		const configuration = vscode.workspace.getConfiguration("muster");
		for (const [name, value] of Object.entries(defaults)) {
			assert.deepEqual(configuration.inspect(name)?.defaultValue, value, name);
		}
	},

	async "cannot be set by a repository where they widen power"() {
		const configuration = vscode.workspace.getConfiguration("muster");
		for (const name of ["homeDir", "dataDir", "lanes.subagent", "demo.script", "demo.pace"]) {
			await assert.rejects(async () => configuration.update(name, "x", vscode.ConfigurationTarget.Workspace), name);
		}
	},
};
