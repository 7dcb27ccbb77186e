import * as vscode from "vscode";
import { commands } from "../../contributions.ts";
import { DisposableStore } from "../../core/base/disposable.ts";
import type { Announced } from "../../core/engine/announcer.ts";
import { titleOf, type Run } from "../../core/runs/run.ts";
import { notifiedCharacters, plainText } from "../errors/plainText.ts";
import type { WorkspaceRuntimes } from "../workspaceRuntimes.ts";

/** Shows what was announced to the user: failures always, successes by setting, what the user stopped never. And what could not be announced. */
export class RunNotifier implements vscode.Disposable {
	readonly #own = new DisposableStore();
	/** The results that did not arrive and were told of, or were there before. */
	readonly #undelivered = new Set<string>();
	/** When it was said of a provider that it does not accept its key. */
	readonly #refusedAt = new Map<string, number>();

	constructor(runtimes: WorkspaceRuntimes) {
		this.#own.add(runtimes.onDidAnnounce((announced) => void this.#show(announced)));
		this.#own.add(runtimes.onDidChange((ids) => this.#lookForUndelivered(runtimes, ids)));
	}

	dispose(): void {
		this.#own.dispose();
	}

	/** A list that has just been opened is not news: its rows say it. */
	#lookForUndelivered(runtimes: WorkspaceRuntimes, ids: ReadonlySet<string>): void {
		for (const { run } of runtimes.list()) {
			if (run.undelivered === null) this.#undelivered.delete(run.id);
			else if (!this.#undelivered.has(run.id)) {
				this.#undelivered.add(run.id);
				if (ids.has(run.id)) void this.#showUndelivered(run);
			}
		}
	}

	async #showUndelivered(run: Run): Promise<void> {
		const message = `${run.agentId}: “${said(titleOf(run))}” has ended, and its result did not reach who asked for it.`;
		const buttons = [commands.openTranscript, commands.retryDelivery, commands.dismissDelivery];
		await choose(vscode.window.showWarningMessage, message, buttons, run.id);
	}

	async #show({ run }: Announced): Promise<void> {
		const show = chooseNotification(run);
		if (!show || this.#isKnownRefusal(run)) return;
		const isOfKey = run.failure === "auth";
		const buttons = [
			...(isOfKey ? [commands.setApiKey] : []),
			commands.openTranscript,
			...(run.state === "ok" ? [] : [commands.resumeRun]),
		];
		await choose(show, describe(run), buttons, run.id);
	}

	/** A key is refused to all at work with it: one notification is enough for those that were there when it was shown. */
	#isKnownRefusal({ failure, model, queuedAt, endedAt }: Run): boolean {
		if (failure !== "auth") return false;
		const provider = model.slice(0, model.indexOf("/"));
		const toldAt = this.#refusedAt.get(provider);
		if (toldAt !== undefined && queuedAt <= toldAt) return true;
		this.#refusedAt.set(provider, endedAt ?? queuedAt);
		return false;
	}
}

async function choose(
	show: Show,
	message: string,
	buttons: readonly { readonly id: string; readonly title: string }[],
	runId: string,
): Promise<void> {
	const chosen = await show(message, ...buttons.map(({ title }) => title));
	const button = buttons.find(({ title }) => title === chosen);
	if (button) await vscode.commands.executeCommand(button.id, runId);
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
	const title = `${run.agentId}: “${said(titleOf(run))}”`;
	switch (run.state) {
		case "ok":
			return `${title} finished. ${said(run.summary)}`.trim();
		case "partial":
			return `${title} ended early. ${said(run.summary)}`.trim();
		case "lost":
			return `${title} was lost when its window closed. Its transcript is kept.`;
		case "timeout":
			return `${title} timed out.`;
		default:
			return `${title} failed: ${said(run.error ?? "no reason was given")}`;
	}
}

function said(text: string | null): string {
	return plainText(text ?? "", notifiedCharacters);
}
