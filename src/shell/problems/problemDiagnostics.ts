import * as vscode from "vscode";
import { commands } from "../../contributions.ts";
import { DisposableStore } from "../../core/base/disposable.ts";
import type { FileProblem } from "../../core/base/fileProblem.ts";
import { isInSettings } from "../../core/config/settingsTables.ts";
import type { Fix } from "../../core/base/textEdit.ts";
import type { WorkspaceCatalogs } from "../catalog/workspaceCatalogs.ts";
import { movableSecrets, type MovableSecret } from "./movableSecrets.ts";
import { toRange } from "./toRange.ts";

const severities = {
	error: vscode.DiagnosticSeverity.Error,
	warning: vscode.DiagnosticSeverity.Warning,
	information: vscode.DiagnosticSeverity.Information,
} as const;

/** Every problem of an agent file in VS Code's Problems, at its place, with its fixes behind the light bulb. */
export class ProblemDiagnostics implements vscode.CodeActionProvider, vscode.Disposable {
	readonly #own = new DisposableStore();
	readonly #collection = this.#own.add(vscode.languages.createDiagnosticCollection("muster"));
	readonly #catalogs: WorkspaceCatalogs;

	constructor(catalogs: WorkspaceCatalogs) {
		this.#catalogs = catalogs;
		this.#own.add(catalogs.onDidChange(() => this.#show()));
		const kinds = { providedCodeActionKinds: [vscode.CodeActionKind.QuickFix] };
		this.#own.add(vscode.languages.registerCodeActionsProvider({ scheme: "file" }, this, kinds));
	}

	provideCodeActions(document: vscode.TextDocument, range: vscode.Range): vscode.CodeAction[] {
		const here = this.#problems().filter(
			(problem) => problem.file === document.uri.fsPath && toRange(problem).intersection(range) !== undefined,
		);
		return here.flatMap((problem) => [
			...(problem.fixes ?? []).map((fix) => toAction(fix, toDiagnostic(problem))),
			...movableSecrets(problem).map((remedy) => toMove(remedy, toDiagnostic(problem))),
		]);
	}

	dispose(): void {
		this.#own.dispose();
	}

	/** A file of home is in the catalog of every folder, and its problem is one. Settings are no files that we read. */
	#problems(): FileProblem[] {
		const all = this.#catalogs.catalogs.flatMap((catalog) => catalog.problems);
		const problems = all.filter((problem) => !isInSettings(problem));
		return [...new Map(problems.map((problem) => [JSON.stringify(problem), problem])).values()];
	}

	#show(): void {
		const byFile = Map.groupBy(this.#problems(), ({ file }) => file);
		this.#collection.clear();
		for (const [file, problems] of byFile) this.#collection.set(vscode.Uri.file(file), problems.map(toDiagnostic));
	}
}

function toDiagnostic(problem: FileProblem): vscode.Diagnostic {
	const diagnostic = new vscode.Diagnostic(toRange(problem), problem.message, severities[problem.severity]);
	diagnostic.source = "Muster";
	diagnostic.code = problem.code;
	return diagnostic;
}

/** By a command, since it has to keep the secret before it changes the text. */
function toMove(remedy: MovableSecret, diagnostic: vscode.Diagnostic): vscode.CodeAction {
	const action = new vscode.CodeAction("Move to Secret Storage", vscode.CodeActionKind.QuickFix);
	action.diagnostics = [diagnostic];
	action.command = { command: commands.moveSecret.id, title: commands.moveSecret.title, arguments: [remedy] };
	return action;
}

function toAction(fix: Fix, diagnostic: vscode.Diagnostic): vscode.CodeAction {
	const action = new vscode.CodeAction(fix.title, vscode.CodeActionKind.QuickFix);
	action.diagnostics = [diagnostic];
	action.edit = new vscode.WorkspaceEdit();
	if ("edits" in fix)
		for (const { file, range, newText } of fix.edits)
			action.edit.replace(vscode.Uri.file(file), toRange(range), newText);
	if ("rename" in fix) action.edit.renameFile(vscode.Uri.file(fix.rename.from), vscode.Uri.file(fix.rename.to));
	return action;
}
