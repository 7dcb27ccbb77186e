import * as vscode from "vscode";
import { statusBarItem, views } from "../contributions.ts";
import { DisposableStore } from "../core/base/disposable.ts";
import { modelLabel } from "./modelLabel.ts";
import type { WorkspaceRuntimes } from "./workspaceRuntimes.ts";

/** Running and queued counts in the status bar; hidden while nothing lives. Says *Demo* when the demo model is at work. */
export class StatusBar implements vscode.Disposable {
	readonly #own = new DisposableStore();
	readonly #item = this.#own.add(vscode.window.createStatusBarItem(statusBarItem, vscode.StatusBarAlignment.Left));
	readonly #runtimes: WorkspaceRuntimes;

	constructor(runtimes: WorkspaceRuntimes) {
		this.#runtimes = runtimes;
		this.#item.name = "Muster";
		this.#item.command = `${views.subagents}.focus`;
		this.#own.add(runtimes.onDidChange(() => this.#show()));
	}

	dispose(): void {
		this.#own.dispose();
	}

	#show(): void {
		const runs = this.#runtimes.list().map(({ run }) => run);
		const running = runs.filter((run) => run.state === "running");
		const queued = runs.filter((run) => run.state === "queued");
		if (running.length + queued.length === 0) return this.#item.hide();
		const isDemo = running.some((run) => modelLabel(run.model) === "Demo");
		const counts = [`${running.length} running`, ...(queued.length > 0 ? [`${queued.length} queued`] : [])].join(", ");
		this.#item.text = `$(hubot) ${counts}${isDemo ? " (Demo)" : ""}`;
		this.#item.tooltip = `Muster subagents: ${counts}${isDemo ? ", on the demo model" : ""}. Click to see them.`;
		this.#item.accessibilityInformation = { label: `Muster: ${counts}${isDemo ? ", demo model" : ""}` };
		this.#item.show();
	}
}
