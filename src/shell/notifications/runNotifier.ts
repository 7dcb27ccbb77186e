import * as vscode from "vscode";
import { commands } from "../../contributions.ts";
import { DisposableStore } from "../../core/base/disposable.ts";
import type { Announced } from "../../core/engine/announcer.ts";
import { titleOf, type Run } from "../../core/runs/run.ts";
import { plainText } from "../errors/plainText.ts";
import type { WorkspaceRuntimes } from "../workspaceRuntimes.ts";

/** Shows what was announced to the user: failures always, successes by setting, what the user stopped never. */
export class RunNotifier implements vscode.Disposable {
	readonly #own = new DisposableStore();

	constructor(runtimes: WorkspaceRuntimes) {
		this.#own.add(runtimes.onDidAnnounce((announced) => void this.#show(announced)));
	}

	dispose(): void {
		this.#own.dispose();
	}

	async #show({ run }: Announced): Promise<void> {
		const show = chooseNotification(run);
		if (!show) return;
		const open = commands.openTranscript.title;
		const chosen = await show(describe(run), open);
		if (chosen === open) await vscode.commands.executeCommand(commands.openTranscript.id, run.id);
	}
}

type Show = (message: string, ...buttons: string[]) => Thenable<string | undefined>;

function chooseNotification(run: Run): Show | undefined {
	const { showInformationMessage, showWarningMessage, showErrorMessage } = vscode.window;
	switch (run.state) {
		case "ok":
			// A plan has a notification of its own, which says more.
			return wantsFinished() && !run.request.planMode ? showInformationMessage : undefined;
		case "partial":
		case "lost":
			return showWarningMessage;
		case "error":
		case "timeout":
			return showErrorMessage;
		default:
			return undefined;
	}
}

function wantsFinished(): boolean {
	return vscode.workspace.getConfiguration("muster").get<unknown>("notifications.finished") !== false;
}

function describe(run: Run): string {
	const title = `${run.agentId}: “${titleOf(run)}”`;
	switch (run.state) {
		case "ok":
			return plainText(`${title} finished. ${run.summary ?? ""}`);
		case "partial":
			return plainText(`${title} ended early. ${run.summary ?? ""}`);
		case "lost":
			return plainText(`${title} was lost when its window closed. Its transcript is kept.`);
		case "timeout":
			return plainText(`${title} timed out.`);
		default:
			return plainText(`${title} failed: ${run.error ?? "no reason was given"}`);
	}
}
