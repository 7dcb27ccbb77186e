import assert from "node:assert/strict";
import * as vscode from "vscode";
import { commands, extensionId } from "../../../src/contributions.ts";
import type { InHostTests } from "../harness/inHostTests.ts";

/** What this thread has loaded of Node itself since it started. */
function loadedByNode(): readonly string[] {
	const { moduleLoadList } = process as unknown as { moduleLoadList: readonly string[] };
	return moduleLoadList;
}

export const tests: InHostTests = {
	async "activates without SQLite"() {
		const extension = vscode.extensions.getExtension(extensionId);
		assert.ok(extension);
		await extension.activate();
		assert.equal(extension.isActive, true);
		assert.ok(loadedByNode().includes("NativeModule fs"), "the list is not what we take it for");
		assert.deepEqual(
			loadedByNode().filter((name) => /sqlite/iu.test(name)),
			[],
		);
	},

	async "has a handler for each command that it contributes"() {
		const registered = new Set(await vscode.commands.getCommands(true));
		const missing = Object.values(commands).filter(({ id }) => !registered.has(id));
		assert.deepEqual(missing, []);
	},

	async "takes a run id of anybody's making for what it is: not there"() {
		// The problem is shown to the person; a caller from outside gets no exception and no effect.
		await vscode.commands.executeCommand(commands.openTranscript.id, "run_00000000");
		await vscode.commands.executeCommand(commands.stopRun.id, "../../x");
		assert.equal(vscode.window.activeTextEditor, undefined);
	},

	async "does not load SQLite on this thread, even with the store open"() {
		await vscode.commands.executeCommand(commands.openPanel.id);
		assert.deepEqual(
			loadedByNode().filter((name) => /sqlite/iu.test(name)),
			[],
		);
		await vscode.commands.executeCommand("workbench.action.closeAllEditors");
	},
};
