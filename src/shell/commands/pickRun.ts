import * as vscode from "vscode";
import { ProblemError } from "../../core/base/errors.ts";
import { titleOf } from "../../core/runs/run.ts";
import { modelLabel } from "../modelLabel.ts";
import type { FolderRun, WorkspaceRuntimes } from "../workspaceRuntimes.ts";

/** The run that a command is about: the one it was called with, else the one the person picks. */
export async function pickRun(
	runtimes: WorkspaceRuntimes,
	argument: unknown,
	options: { readonly placeholder: string; readonly none: string; isOffered(run: FolderRun): boolean },
): Promise<FolderRun | undefined> {
	await runtimes.open();
	if (typeof argument === "string") {
		const found = runtimes.find(argument);
		if (!found)
			throw new ProblemError({ code: "run.notFound", message: "There is no such run in this workspace any more." });
		return found;
	}
	const offered = runtimes.list().filter((run) => options.isOffered(run));
	if (offered.length === 0) {
		void vscode.window.showInformationMessage(options.none);
		return undefined;
	}
	const items = offered.map((found) => ({
		label: titleOf(found.run),
		description: `${found.run.state} · ${found.run.agentId} · ${modelLabel(found.run.model)}`,
		found,
	}));
	return (await vscode.window.showQuickPick(items, { placeHolder: options.placeholder, matchOnDescription: true }))
		?.found;
}
