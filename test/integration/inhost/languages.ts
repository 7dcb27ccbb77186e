import assert from "node:assert/strict";
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import * as vscode from "vscode";
import { vscodeLanguages } from "../../../src/shell/adapters/vscodeLanguages.ts";
import type { InHostTests } from "../harness/inHostTests.ts";

/** A file in a language that only this test serves. */
async function withFile(test: (file: string) => Promise<void>): Promise<void> {
	const folder = realpathSync(mkdtempSync(path.join(tmpdir(), "muster-languages-")));
	const file = path.join(folder, "some.muster-test");
	writeFileSync(file, "first\nsecond\n");
	try {
		await test(file);
	} finally {
		rmSync(folder, { recursive: true });
	}
}

const aRange = () => new vscode.Range(1, 2, 1, 6);
const place = { line: 2, column: 3 };

export const tests: InHostTests = {
	async "give what VS Code shows as a problem"() {
		await withFile(async (file) => {
			const collection = vscode.languages.createDiagnosticCollection("muster-test");
			const found = new vscode.Diagnostic(aRange(), "not like this", vscode.DiagnosticSeverity.Warning);
			found.source = "test";
			collection.set(vscode.Uri.file(file), [found]);
			const ours = vscodeLanguages.diagnostics().filter((one) => one.path === file);
			collection.dispose();
			assert.deepEqual(ours, [{ path: file, ...place, severity: "warning", message: "not like this", source: "test" }]);
		});
	},

	async "give the symbols of a file that is not open, and of the workspace"() {
		await withFile(async (file) => {
			const range = aRange();
			const selector = { pattern: "**/*.muster-test" };
			const child = new vscode.DocumentSymbol("inner", "", vscode.SymbolKind.Method, range, range);
			const parent = new vscode.DocumentSymbol("outer", "", vscode.SymbolKind.TypeParameter, range, range);
			parent.children.push(child);
			const location = new vscode.Location(vscode.Uri.file(file), range);
			const providers = [
				vscode.languages.registerDocumentSymbolProvider(selector, { provideDocumentSymbols: () => [parent] }),
				vscode.languages.registerWorkspaceSymbolProvider({
					provideWorkspaceSymbols: () => [
						new vscode.SymbolInformation("musterOuter", vscode.SymbolKind.Class, "box", location),
					],
				}),
			];
			const outline = await vscodeLanguages.symbolsOf(file);
			const found = await vscodeLanguages.findSymbols("musterOuter");
			for (const provider of providers) provider.dispose();
			assert.deepEqual(outline, [
				{ path: file, ...place, name: "outer", kind: "type-parameter", container: undefined },
				{ path: file, ...place, name: "inner", kind: "method", container: "outer" },
			]);
			assert.deepEqual(
				found.filter(({ name }) => name === "musterOuter"),
				[{ path: file, ...place, name: "musterOuter", kind: "class", container: "box" }],
			);
		});
	},
};
