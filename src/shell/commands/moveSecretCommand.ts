import path from "node:path";
import { isDeepStrictEqual } from "node:util";
import * as vscode from "vscode";
import { ProblemError } from "../../core/base/errors.ts";
import type { FileProblem } from "../../core/base/fileProblem.ts";
import { planSecretMove, type SecretMove } from "../../core/catalog/planSecretMove.ts";
import type { ConfigOrigin, SettingsLevel } from "../../core/config/configProblem.ts";
import type { Secrets } from "../../core/ports/secrets.ts";
import type { FolderCatalog, WorkspaceCatalogs } from "../catalog/workspaceCatalogs.ts";
import { plainText } from "../errors/plainText.ts";
import { movableSecrets, type MovableSecret } from "../problems/movableSecrets.ts";
import { toRange } from "../problems/toRange.ts";

interface FoundSecret {
	readonly remedy: MovableSecret;
	readonly problem: FileProblem;
	readonly catalog: FolderCatalog;
}

/**
 * Keeps a secret that stands in a configuration in Secret Storage, for what it belongs to, and then takes it out of the
 * text by an edit that can be undone. `given` is a problem's row or its remedy; without one, the person picks.
 */
export async function moveSecretCommand(
	catalogs: Pick<WorkspaceCatalogs, "refresh">,
	secrets: Secrets,
	given?: unknown,
): Promise<void> {
	const all = listSecrets(await catalogs.refresh());
	const found = given === undefined ? await pick(all) : all.find((each) => isMeant(each, given));
	if (found === undefined) {
		if (given === undefined && all.length > 0) return;
		throw new ProblemError({ code: "secret.none", message: "There is no secret here that can be moved." });
	}
	const document = await open(found);
	const move = await plan(found, document);
	if (!(await keep(move, secrets))) return;
	await takeOut(move, document, found);
}

function listSecrets(catalogs: readonly FolderCatalog[]): readonly FoundSecret[] {
	const all = catalogs.flatMap((catalog) =>
		catalog.problems.flatMap((problem) => movableSecrets(problem).map((remedy) => ({ remedy, problem, catalog }))),
	);
	return [...new Map(all.map((each) => [JSON.stringify(each.remedy), each])).values()];
}

/** Commands can be called by anybody with anything: only a secret that we have found ourselves is touched. */
function isMeant({ remedy, problem }: FoundSecret, given: unknown): boolean {
	if (typeof given !== "object" || given === null) return false;
	if ("problem" in given) return isDeepStrictEqual(given.problem, problem);
	return "file" in given && "path" in given && given.file === remedy.file && isDeepStrictEqual(given.path, remedy.path);
}

async function pick(all: readonly FoundSecret[]): Promise<FoundSecret | undefined> {
	if (all.length === 0) return undefined;
	const items = all.map((found) => ({ label: found.remedy.path.join("."), description: found.remedy.file, found }));
	const placeHolder = "Which secret?";
	return (await vscode.window.showQuickPick(items, { placeHolder, ignoreFocusOut: true }))?.found;
}

const settingsCommands: Readonly<Record<SettingsLevel, string>> = {
	user: "workbench.action.openSettingsJson",
	workspace: "workbench.action.openWorkspaceSettingsFile",
	folder: "workbench.action.openFolderSettingsFile",
};

function originOf({ remedy, catalog }: FoundSecret): ConfigOrigin | undefined {
	return catalog.layers.parts.find(({ origin }) => origin.file === remedy.file)?.origin;
}

/** Where the secret is written, before the person's eyes. Only VS Code knows where its settings are. */
async function open(found: FoundSecret): Promise<vscode.TextDocument> {
	const level = originOf(found)?.settings;
	if (level === undefined) {
		return (await vscode.window.showTextDocument(vscode.Uri.file(found.remedy.file))).document;
	}
	await vscode.commands.executeCommand(settingsCommands[level]);
	const document = vscode.window.activeTextEditor?.document;
	if (document !== undefined && path.basename(document.uri.fsPath) === "settings.json") return document;
	throw unmovable(found);
}

async function plan(found: FoundSecret, document: vscode.TextDocument): Promise<SecretMove> {
	const origin = originOf(found);
	const { file, path: steps } = found.remedy;
	const isSettings = origin?.settings !== undefined;
	const [table = "", ...rest] = steps;
	const written = isSettings && !String(table).startsWith("muster.") ? [`muster.${table}`, ...rest] : steps;
	const at = isSettings ? document.uri.fsPath : file;
	const move = origin && (await planSecretMove(origin, at, document.getText(), written));
	if (move === undefined) throw unmovable(found);
	return move;
}

function unmovable({ remedy }: FoundSecret): ProblemError {
	const place = remedy.path.join(".");
	return new ProblemError({
		code: "secret.unmovable",
		message: `“${place}” can't be moved out of ${remedy.file} by itself. Put right what else is wrong there first, or take it out by hand.`,
	});
}

/** Before the text is touched. What is kept already may be newer, so it is not replaced unasked. */
async function keep({ secret, place }: SecretMove, secrets: Secrets): Promise<boolean> {
	const before = await safely(secrets.get(place));
	if (before !== undefined && before !== secret) {
		const replace = "Replace";
		const message = "Another secret is kept in this place already. Replace it by the one in the file?";
		if ((await vscode.window.showWarningMessage(message, { modal: true }, replace)) !== replace) return false;
	}
	await safely(secrets.set(place, secret));
	return true;
}

/** The reason of a rejection may hold the secret, so it is told without one. */
async function safely<Value>(work: Promise<Value>): Promise<Value> {
	try {
		return await work;
	} catch {
		throw new ProblemError({
			code: "secret.storage",
			message:
				"VS Code's Secret Storage can't be used now, so the file was not changed. Try again, or restart VS Code.",
		});
	}
}

async function takeOut(
	{ edits, variable }: SecretMove,
	document: vscode.TextDocument,
	{ remedy }: FoundSecret,
): Promise<void> {
	const { isDirty } = document;
	const change = new vscode.WorkspaceEdit();
	for (const { range, newText } of edits) change.replace(document.uri, toRange(range), newText);
	if (!(await vscode.workspace.applyEdit(change))) {
		throw new ProblemError({
			code: "secret.notTakenOut",
			message: `The secret is kept in Secret Storage, but ${remedy.file} could not be changed. Take it out there by hand.`,
		});
	}
	// What else is unsaved there is for the person to save.
	const isSaved = !isDirty && (await document.save());
	const named = variable === undefined ? "" : ` The file names it ${variable}, which others find in the environment.`;
	const next = isSaved ? "" : " Save the file, so that it is gone from the disk.";
	const message = `The secret is in VS Code's Secret Storage.${named}${next} If others could read the file, replace the secret.`;
	void vscode.window.showInformationMessage(plainText(message));
}
