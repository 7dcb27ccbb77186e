import * as vscode from "vscode";
import { views } from "../../contributions.ts";
import { DisposableStore } from "../../core/base/disposable.ts";
import { isTerminal } from "../../core/runs/runState.ts";
import { modelLabel } from "../modelLabel.ts";
import type { FolderRun, WorkspaceRuntimes } from "../workspaceRuntimes.ts";
import { createRunItem } from "./runItem.ts";

/** Many changes in a burst are one refresh. */
const refreshMs = 100;
const tickMs = 1_000;

/** The Subagents view: live runs first, then the newest. Holds no runs; it asks again when told that something changed. */
export class SubagentsTree implements vscode.TreeDataProvider<string>, vscode.Disposable {
	readonly #runtimes: WorkspaceRuntimes;
	readonly #own = new DisposableStore();
	readonly #changed = this.#own.add(new vscode.EventEmitter<string | undefined>());
	readonly #view: vscode.TreeView<string>;
	#refresh: NodeJS.Timeout | undefined;
	#tick: NodeJS.Timeout | undefined;

	readonly onDidChangeTreeData = this.#changed.event;

	constructor(runtimes: WorkspaceRuntimes) {
		this.#runtimes = runtimes;
		this.#view = this.#own.add(vscode.window.createTreeView(views.subagents, { treeDataProvider: this }));
		this.#own.add(this.#view.onDidChangeVisibility(({ visible }) => visible && void runtimes.open()));
		this.#own.add(runtimes.onDidChange(() => this.#refreshSoon()));
		this.#own.add({ dispose: () => clearTimeout(this.#refresh) });
		this.#own.add({ dispose: () => clearInterval(this.#tick) });
		this.#describe();
	}

	async getChildren(parent?: string): Promise<string[]> {
		if (parent !== undefined) return [];
		if (!this.#runtimes.isOpen && !this.#runtimes.problem) await this.#runtimes.open();
		return sortForReading(this.#runtimes.list()).map(({ run }) => run.id);
	}

	getTreeItem(runId: string): vscode.TreeItem {
		const found = this.#runtimes.find(runId);
		if (!found) return new vscode.TreeItem(runId);
		return createRunItem(found.run, modelLabel(found.run.model), Date.now());
	}

	/** Opens the view without taking the keyboard. Not `reveal`: it fails for a row that is being drawn at that moment. */
	async show(): Promise<void> {
		await vscode.commands.executeCommand(`${views.subagents}.focus`, { preserveFocus: true });
	}

	dispose(): void {
		this.#own.dispose();
	}

	#refreshSoon(): void {
		this.#refresh ??= setTimeout(() => {
			this.#refresh = undefined;
			this.#describe();
			this.#changed.fire(undefined);
		}, refreshMs);
	}

	/** Badge, message and clock follow from the list. */
	#describe(): void {
		const live = this.#runtimes.list().filter(({ run }) => !isTerminal(run.state));
		// Who waits for a person is counted by the Approvals view; VS Code adds the numbers up.
		const working = live.filter(({ run }) => run.state !== "waiting_approval").length;
		this.#view.badge = working > 0 ? { value: working, tooltip: `${working} subagents at work` } : undefined;
		this.#view.message = vscode.workspace.isTrusted
			? (this.#runtimes.problem?.message ?? "")
			: "This workspace is not trusted: past runs are shown, nothing of the folder is read, and nothing runs.";
		if (live.length > 0) this.#tick ??= setInterval(() => this.#refreshElapsed(), tickMs);
		else {
			clearInterval(this.#tick);
			this.#tick = undefined;
		}
	}

	#refreshElapsed(): void {
		if (!this.#view.visible) return;
		for (const { run } of this.#runtimes.list()) if (!isTerminal(run.state)) this.#changed.fire(run.id);
	}
}

function sortForReading(runs: readonly FolderRun[]): FolderRun[] {
	const live = runs.filter(({ run }) => !isTerminal(run.state));
	const ended = runs.filter(({ run }) => isTerminal(run.state));
	return [...live, ...ended];
}
