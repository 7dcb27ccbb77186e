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
/** What a day has used up is read from files and two databases: not at each change. */
const dayMs = 2_000;

/** The Subagents view: live runs first, then the newest. Holds no runs; it asks again when told that something changed. */
export class SubagentsTree implements vscode.TreeDataProvider<string>, vscode.Disposable {
	readonly #runtimes: WorkspaceRuntimes;
	readonly #own = new DisposableStore();
	readonly #changed = this.#own.add(new vscode.EventEmitter<string | undefined>());
	readonly #view: vscode.TreeView<string>;
	#refresh: NodeJS.Timeout | undefined;
	#tick: NodeJS.Timeout | undefined;
	/** Why each queued run waits, and of whom nothing is heard, as it was when last asked. */
	#waitReasons: ReadonlyMap<string, string> = new Map();

	#dayReadAt = 0;

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
		await Promise.all([this.#readWaitReasons(), this.#readDay()]);
		return sortForReading(this.#runtimes.list()).map(({ run }) => run.id);
	}

	getTreeItem(runId: string): vscode.TreeItem {
		const found = this.#runtimes.find(runId);
		if (!found) return new vscode.TreeItem(runId);
		return createRunItem(found.run, {
			modelLabel: modelLabel(found.run.model),
			now: Date.now(),
			waitReason: isTerminal(found.run.state) ? undefined : this.#waitReasons.get(runId),
			isUnanswered: found.runtime.control.isUnanswered(found.run),
		});
	}

	/** Opens the view without taking the keyboard. Not `reveal`: it fails for a row that is being drawn at that moment. */
	async show(): Promise<void> {
		await vscode.commands.executeCommand(`${views.subagents}.focus`, { preserveFocus: true });
	}

	dispose(): void {
		this.#own.dispose();
	}

	/** A store that can't be read now leaves the reasons as they were: the rows themselves are what matters. */
	async #readWaitReasons(): Promise<void> {
		this.#waitReasons = await this.#runtimes.waitReasons().catch(() => this.#waitReasons);
	}

	/** Beside the view's title, where there is a budget; what can't be read now stays as it was. */
	async #readDay(): Promise<void> {
		if (Date.now() - this.#dayReadAt < dayMs) return;
		this.#dayReadAt = Date.now();
		const day = await this.#runtimes.describeDay().catch(() => undefined);
		if (day !== undefined) this.#view.description = day === null ? "" : `today ${day}`;
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
		if (live.length > 0) this.#tick ??= setInterval(() => void this.#refreshLive(), tickMs);
		else {
			clearInterval(this.#tick);
			this.#tick = undefined;
		}
	}

	/** Time passes, and what a queued run waits for may have changed without a word about the run itself. */
	async #refreshLive(): Promise<void> {
		if (!this.#view.visible) return;
		await this.#readWaitReasons();
		for (const { run } of this.#runtimes.list()) if (!isTerminal(run.state)) this.#changed.fire(run.id);
	}
}

function sortForReading(runs: readonly FolderRun[]): FolderRun[] {
	const live = runs.filter(({ run }) => !isTerminal(run.state));
	const ended = runs.filter(({ run }) => isTerminal(run.state));
	return [...live, ...ended];
}
