import { symlinkSync } from "node:fs";
import path from "node:path";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { vscodeLanguages } from "../../../src/shell/adapters/vscodeLanguages.ts";
import { editor, resetEditor, Uri } from "../../fakes/editorStandIn.ts";
import { temporaryFolder } from "../../fakes/temporaryFolder.ts";

vi.mock("vscode", () => import("../../fakes/editorStandIn.ts"));
beforeEach(resetEditor);

const at = (line: number, character: number) => ({ start: { line, character }, end: { line, character } });
const onTheWeb = { scheme: "vscode-remote", fsPath: "/elsewhere/a.ts" };

/** A file under a name that leads to it by a link, and its real path. */
function linkedFile() {
	const folder = temporaryFolder({ "real/a.ts": "x" });
	symlinkSync("real", path.join(folder, "linked"));
	return { linked: path.join(folder, "linked/a.ts"), real: path.join(folder, "real/a.ts") };
}

describe("VS Code's language services", () => {
	it("give diagnostics by real path, counted from one, with severity and source in words", () => {
		const { linked, real } = linkedFile();
		editor.diagnostics = [
			[Uri.file(linked), [{ range: at(3, 4), severity: 0, message: "no", source: "ts", code: 2322 }]],
			[Uri.file("/gone/b.ts"), [{ range: at(0, 0), severity: 3, message: "so", code: { value: "style" } }]],
			[onTheWeb, [{ range: at(0, 0), severity: 0, message: "elsewhere" }]],
		];
		expect(vscodeLanguages.diagnostics()).toEqual([
			{ path: real, line: 4, column: 5, severity: "error", message: "no", source: "ts 2322" },
			{ path: "/gone/b.ts", line: 1, column: 1, severity: "hint", message: "so", source: "style" },
		]);
	});

	it("give a file's outline, as a tree or as a list, each with what it is part of", async () => {
		const range = at(0, 0);
		const method = { name: "total", kind: 5, range, selectionRange: at(2, 8), children: [] };
		const tree = [{ name: "Cart", kind: 4, range, selectionRange: at(0, 6), children: [method] }];
		const list = [{ name: "sum", kind: 11, containerName: "", location: { uri: Uri.file("/a.ts"), range: at(9, 0) } }];
		const asked: unknown[] = [];
		editor.answersOfCommands.set("vscode.executeDocumentSymbolProvider", (uri) => {
			asked.push(uri);
			return [...tree, ...list];
		});
		expect(await vscodeLanguages.symbolsOf("/a.ts")).toEqual([
			{ path: "/a.ts", line: 1, column: 7, name: "Cart", kind: "class", container: undefined },
			{ path: "/a.ts", line: 3, column: 9, name: "total", kind: "method", container: "Cart" },
			{ path: "/a.ts", line: 10, column: 1, name: "sum", kind: "function", container: undefined },
		]);
		expect(asked).toEqual([Uri.file("/a.ts")]);
	});

	it("search the workspace by name, and give what lies on this disk by real path", async () => {
		const { linked, real } = linkedFile();
		const found = [Uri.file(linked), onTheWeb].map((uri) => ({
			name: "Cart",
			kind: 4,
			containerName: "shop",
			location: { uri, range: at(1, 0) },
		}));
		editor.answersOfCommands.set("vscode.executeWorkspaceSymbolProvider", (query) => (query === "Ca" ? found : []));
		expect(await vscodeLanguages.findSymbols("Ca")).toEqual([
			{ path: real, line: 2, column: 1, name: "Cart", kind: "class", container: "shop" },
		]);
	});

	it("give nothing where a language has no service", async () => {
		expect([await vscodeLanguages.symbolsOf("/a.ts"), await vscodeLanguages.findSymbols("x")]).toEqual([[], []]);
	});
});
