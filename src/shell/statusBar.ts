import * as vscode from "vscode";
import { statusBarItem, views } from "../contributions.ts";
import { DisposableStore } from "../core/base/disposable.ts";
import { modelLabel } from "./modelLabel.ts";
import type { WorkspaceRuntimes } from "./workspaceRuntimes.ts";

/**
 * Running and queued counts in the status bar, and in a colour how many wait for the person; hidden while nothing lives.
 * Says *Demo* when the demo model is at work.
 */
export class StatusBar implements vscode.Disposable {
	readonly #own = new DisposableStore();
	readonly #item = this.#own.add(vscode.window.createStatusBarItem(statusBarItem, vscode.StatusBarAlignment.Left));
	readonly #runtimes: WorkspaceRuntimes;

	constructor(runtimes: WorkspaceRuntimes) {
		this.#runtimes = runtimes;
		this.#item.name = "Muster";
		this.#own.add(runtimes.onDidChange(() => this.#show()));
		this.#own.add(runtimes.onDidChangeApprovals(() => this.#show()));
		this.#own.add(runtimes.onDidChangePlans(() => this.#show()));
	}

	dispose(): void {
		this.#own.dispose();
	}

	#show(): void {
		const runs = this.#runtimes.list().map(({ run }) => run);
		const running = runs.filter((run) => run.state === "running");
		const queued = runs.filter((run) => run.state === "queued");
		const waiting = this.#runtimes.approvals().length + this.#runtimes.plans().length;
		const facts = [
			...(waiting > 0 ? [waiting === 1 ? "1 waits for you" : `${waiting} wait for you`] : []),
			...(running.length + queued.length > 0 ? [`${running.length} running`] : []),
			...(queued.length > 0 ? [`${queued.length} queued`] : []),
		];
		if (facts.length === 0) return this.#item.hide();
		const isDemo = running.some((run) => modelLabel(run.model) === "Demo");
		const counts = facts.join(", ");
		this.#item.text = `$(${waiting > 0 ? "bell-dot" : "hubot"}) ${counts}${isDemo ? " (Demo)" : ""}`;
		this.#item.tooltip = `Muster subagents: ${counts}${isDemo ? ", on the demo model" : ""}. Click to see them.`;
		this.#item.accessibilityInformation = { label: `Muster: ${counts}${isDemo ? ", demo model" : ""}` };
		this.#item.command = `${waiting > 0 ? views.approvals : views.subagents}.focus`;
		// A window that is not in front flashes for nobody: the colour is what is seen on the way back to it.
		const warning = new vscode.ThemeColor("statusBarItem.warningBackground");
		this.#item.backgroundColor = waiting > 0 ? warning : undefined;
		this.#item.show();
	}
}
