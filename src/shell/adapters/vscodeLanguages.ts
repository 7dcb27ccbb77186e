import * as vscode from "vscode";
import { type CodePlace, type CodeSymbol, type LanguagesPort, severities } from "../../core/ports/languages.ts";
import { realPathOf } from "./realPathOf.ts";

/** In the order of `vscode.SymbolKind`. */
const kinds =
	"file module namespace package class method property field constructor enum interface function variable constant string number boolean array object key null enum-member struct event operator type-parameter".split(
		" ",
	);

/** The language services of this window. What is no file on this disk is left out. */
export const vscodeLanguages: LanguagesPort = {
	diagnostics() {
		return vscode.languages.getDiagnostics().flatMap(([uri, found]) => {
			if (uri.scheme !== "file") return [];
			const path = realPathOf(uri.fsPath);
			return found.map(({ range, severity, message, source, code }) => ({
				...placeOf(path, range),
				severity: severities[severity] ?? "error",
				message,
				source: describeSource(source, code),
			}));
		});
	},
	async symbolsOf(path) {
		const found = await vscode.commands.executeCommand<
			readonly (vscode.DocumentSymbol | vscode.SymbolInformation)[] | undefined
		>("vscode.executeDocumentSymbolProvider", vscode.Uri.file(path));
		return (found ?? []).flatMap((symbol) => outline(path, symbol, undefined));
	},
	async findSymbols(query) {
		const found = await vscode.commands.executeCommand<readonly vscode.SymbolInformation[] | undefined>(
			"vscode.executeWorkspaceSymbolProvider",
			query,
		);
		const realPaths = new Map<string, string>();
		return (found ?? []).flatMap(({ name, kind, containerName, location: { uri, range } }) => {
			if (uri.scheme !== "file") return [];
			const path = realPaths.get(uri.fsPath) ?? realPathOf(uri.fsPath);
			realPaths.set(uri.fsPath, path);
			return [{ ...placeOf(path, range), name, kind: kindOf(kind), container: containerName || undefined }];
		});
	},
};

/** Newer services give a tree, older ones a list. */
function outline(
	path: string,
	symbol: vscode.DocumentSymbol | vscode.SymbolInformation,
	parent: string | undefined,
): readonly CodeSymbol[] {
	const { name } = symbol;
	const kind = kindOf(symbol.kind);
	if (!("selectionRange" in symbol)) {
		return [{ ...placeOf(path, symbol.location.range), name, kind, container: symbol.containerName || undefined }];
	}
	const own = { ...placeOf(path, symbol.selectionRange), name, kind, container: parent };
	return [own, ...symbol.children.flatMap((child) => outline(path, child, name))];
}

function placeOf(path: string, { start }: vscode.Range): CodePlace {
	return { path, line: start.line + 1, column: start.character + 1 };
}

function kindOf(kind: vscode.SymbolKind): string {
	return kinds[kind] ?? "symbol";
}

function describeSource(source: string | undefined, code: vscode.Diagnostic["code"]): string | undefined {
	const number = typeof code === "object" ? code.value : code;
	return [source, number].filter((part) => part !== undefined && part !== "").join(" ") || undefined;
}
