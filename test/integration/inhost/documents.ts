import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import * as vscode from "vscode";
import { childEnvironment } from "../../../src/core/permissions/childEnvironment.ts";
import { systemClock } from "../../../src/core/ports/clock.ts";
import { ProcessGroups } from "../../../src/core/processes/processGroup.ts";
import { editFile } from "../../../src/core/tools/builtin/editFile.ts";
import { readFile } from "../../../src/core/tools/builtin/readFile.ts";
import type { Tool, ToolResult } from "../../../src/core/tools/tool.ts";
import { createToolServices } from "../../../src/core/tools/toolServices.ts";
import { vscodeEditor } from "../../../src/shell/adapters/vscodeEditor.ts";
import type { InHostTests } from "../harness/inHostTests.ts";

interface OpenFile {
	/** The real path. */
	readonly file: string;
	readonly document: vscode.TextDocument;
	/** As a person types it, before everything else. */
	readonly type: (text: string) => Promise<void>;
	/** As a run calls it once the gate has allowed the path. */
	readonly call: (tool: Tool, input: object) => Promise<ToolResult>;
}

/** A file that is open in an editor, by another name than its real one. */
async function withOpenFile(test: (open: OpenFile) => Promise<void>): Promise<void> {
	const root = realpathSync(mkdtempSync(path.join(tmpdir(), "muster-documents-")));
	const file = path.join(root, "notes.txt");
	const link = path.join(root, "link.txt");
	writeFileSync(file, "saved\n");
	symlinkSync(file, link);
	const processes = new ProcessGroups({ clock: systemClock, graceMs: 200 });
	try {
		const document = await vscode.workspace.openTextDocument(link);
		const shown = await vscode.window.showTextDocument(document);
		await test({
			file,
			document,
			async type(text) {
				assert.ok(await shown.edit((change) => change.insert(new vscode.Position(0, 0), text)));
			},
			async call(tool, input) {
				const prepared = tool.prepare({ path: "notes.txt", ...input });
				assert.ok(prepared.ok);
				const { env } = childEnvironment(process.env, { roots: [root] });
				const services = createToolServices({ runId: "run_1", clock: systemClock, processes, env });
				const { signal } = new AbortController();
				return prepared.execute({ ...services, editor: vscodeEditor, path: file, root, callId: "call_1", signal });
			},
		});
	} finally {
		await vscode.commands.executeCommand("workbench.action.revertAndCloseActiveEditor");
		await processes.close();
		rmSync(root, { recursive: true });
	}
}

export const tests: InHostTests = {
	async "are read as they are in the editor while they are unsaved, under whatever name they are open"() {
		await withOpenFile(async ({ type, call }) => {
			assert.equal((await call(readFile, {})).text, "1\tsaved");
			await type("typed ");
			assert.equal((await call(readFile, {})).text, "1\ttyped saved");
		});
	},

	async "are edited in the editor while they are unsaved: nothing is saved, and one Undo takes it back"() {
		await withOpenFile(async ({ file, document, type, call }) => {
			await type("typed ");
			const answer = await call(editFile, { old_string: "typed saved", new_string: "edited" });
			assert.deepEqual(answer, {
				text: "Edited notes.txt: one replacement, in line 1. It is unsaved, in the open editor.",
				isError: false,
			});
			assert.equal(document.getText(), "edited\n");
			assert.equal(document.isDirty, true);
			assert.equal(readFileSync(file, "utf8"), "saved\n");
			await vscode.commands.executeCommand("undo");
			assert.equal(document.getText(), "typed saved\n");
		});
	},

	async "are edited on disk once they are saved"() {
		await withOpenFile(async ({ file, document, type, call }) => {
			await type("typed ");
			assert.ok(await document.save());
			await call(readFile, {});
			const answer = await call(editFile, { old_string: "typed saved", new_string: "edited" });
			assert.equal(answer.isError, false);
			assert.equal(readFileSync(file, "utf8"), "edited\n");
		});
	},
};
