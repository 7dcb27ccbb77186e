import { existsSync } from "node:fs";
import path from "node:path";
import * as vscode from "vscode";
import { contextKeys } from "../contributions.ts";
import { DisposableStore } from "../core/base/disposable.ts";
import { messageOf, ProblemError, type Problem } from "../core/base/errors.ts";
import type { RunView } from "../core/engine/runRegistry.ts";
import type { McpHealth } from "../core/mcp/pooledServer.ts";
import type { Logger } from "../core/ports/logger.ts";
import type { Announced } from "../core/engine/announcer.ts";
import type { Runtime } from "../core/runtime.ts";
import { storeFolder } from "../core/store/storeFolder.ts";
import { dataFolder, openFolders } from "./adapters/folders.ts";
import type { EditorModels, Keeping } from "./models/editorModels.ts";
import type { FolderPlan } from "./plans/planRows.ts";
import type { FolderApproval } from "./approvals/approvalRows.ts";
import type { ReportFailure } from "./errors/reportFailure.ts";

/** A run with the workspace folder whose store holds it. */
export interface FolderRun {
	readonly run: RunView;
	readonly folder: string | null;
	readonly runtime: Runtime;
}

/** A server with the runtime that uses it. */
export interface FolderServer {
	readonly health: McpHealth;
	readonly runtime: Runtime;
}

/**
 * One runtime per workspace folder of this window, each opened when it is first needed. What the surfaces show is
 * gathered here; they hold no runs of their own.
 */
export class WorkspaceRuntimes implements vscode.Disposable {
	readonly #extensionUri: vscode.Uri;
	readonly #keeping: Keeping;
	readonly #logger: Logger;
	readonly #reportFailure: ReportFailure;
	readonly #own = new DisposableStore();
	readonly #opening = new Map<string | null, Promise<Runtime>>();
	readonly #opened = new Map<string | null, { runtime: Runtime; own: DisposableStore }>();
	readonly #changed = this.#own.add(new vscode.EventEmitter<ReadonlySet<string>>());
	readonly #announced = this.#own.add(new vscode.EventEmitter<Announced>());

	readonly #serversChanged = this.#own.add(new vscode.EventEmitter<void>());
	readonly #plansChanged = this.#own.add(new vscode.EventEmitter<void>());
	readonly #approvalsChanged = this.#own.add(new vscode.EventEmitter<void>());

	/** Carries the ids of the runs that changed; empty when the set of runtimes, or trust, changed. */
	readonly onDidChange = this.#changed.event;
	readonly onDidAnnounce = this.#announced.event;
	readonly onDidChangeServers = this.#serversChanged.event;
	readonly onDidChangePlans = this.#plansChanged.event;
	readonly onDidChangeApprovals = this.#approvalsChanged.event;

	#hasParked = false;
	#models: Promise<EditorModels> | undefined;

	/** Why no runtime can be had here. */
	problem: Problem | undefined;

	constructor(extensionUri: vscode.Uri, keeping: Keeping, logger: Logger, reportFailure: ReportFailure) {
		this.#extensionUri = extensionUri;
		this.#keeping = keeping;
		this.#logger = logger;
		this.#reportFailure = reportFailure;
		this.#own.add(vscode.workspace.onDidChangeWorkspaceFolders(() => this.#followFolders()));
		this.#own.add(vscode.workspace.onDidGrantWorkspaceTrust(() => this.#changed.fire(new Set())));
		this.#own.add(
			vscode.workspace.onDidChangeConfiguration((change) => {
				if (["muster.lanes", "muster.agents"].some((table) => change.affectsConfiguration(table)))
					for (const { runtime } of this.#opened.values()) void runtime.applySettings();
			}),
		);
	}

	/** Whether the list is there, however short. */
	get isOpen(): boolean {
		return this.#opened.size > 0;
	}

	/** Newest first over all folders. */
	list(): FolderRun[] {
		const runs = [...this.#opened].flatMap(([folder, { runtime }]) =>
			runtime.runs.list().map((run) => ({ run, folder, runtime })),
		);
		return this.#opened.size > 1 ? runs.toSorted((a, b) => b.run.queuedAt - a.run.queuedAt) : runs;
	}

	find(runId: string): FolderRun | undefined {
		for (const [folder, { runtime }] of this.#opened) {
			const run = runtime.runs.get(runId);
			if (run) return { run, folder, runtime };
		}
		return undefined;
	}

	opened(): readonly Runtime[] {
		return [...this.#opened.values()].map(({ runtime }) => runtime);
	}

	/** Why queued runs have not started, over all folders, by run. */
	async waitReasons(): Promise<ReadonlyMap<string, string>> {
		const found = await Promise.all(this.opened().map(({ control, runs }) => control.explainWaits(runs.list())));
		return new Map(found.flatMap((reasons) => [...reasons]));
	}

	/** What is used of the day's budget, which all folders share; null where there is none. */
	async describeDay(): Promise<string | null> {
		const [first] = this.opened();
		return first ? first.control.describeDay() : null;
	}

	/** What waits for a person, over all folders, oldest first. */
	approvals(): FolderApproval[] {
		const all = this.opened().flatMap((runtime) =>
			runtime.approvals.waiting.map((approval) => ({ approval, runtime })),
		);
		return all.toSorted((a, b) => a.approval.createdAt - b.approval.createdAt);
	}

	/** The MCP servers that runs of this window have used. */
	servers(): FolderServer[] {
		return this.opened().flatMap((runtime) => runtime.mcp.servers.map((health) => ({ health, runtime })));
	}

	/** The plans that wait, over all folders, oldest first. */
	plans(): FolderPlan[] {
		const all = this.opened().flatMap((runtime) => runtime.plans.awaiting.map((plan) => ({ plan, runtime })));
		return all.toSorted((a, b) => a.plan.createdAt - b.plan.createdAt);
	}

	/** Opens every folder's runtime; a failure is shown once and leaves the others. */
	async open(): Promise<void> {
		await Promise.all(openFolders().map((folder) => this.runtimeOf(folder).catch(() => undefined)));
	}

	/** Opens those folders whose store exists already: there may be runs to recover. */
	async openExisting(): Promise<void> {
		const existing = openFolders().filter((folder) =>
			existsSync(path.join(storeFolder(dataFolder(), folder), "muster.db")),
		);
		await Promise.all(existing.map((folder) => this.runtimeOf(folder).catch(() => undefined)));
	}

	/** The runtime of one folder. Rejects with the problem that has been shown when it cannot be had. */
	runtimeOf(folder: string | null): Promise<Runtime> {
		let opening = this.#opening.get(folder);
		if (!opening) {
			opening = this.#openFolder(folder);
			this.#opening.set(folder, opening);
			opening.catch((error: unknown) => this.#fail(folder, error));
		}
		return opening;
	}

	/** The models of this window, the same for all its folders. Rejects with the problem when they cannot be had. */
	models(): Promise<EditorModels> {
		this.#models ??= this.#openModels();
		return this.#models;
	}

	dispose(): void {
		for (const { runtime, own } of this.#opened.values()) {
			own.dispose();
			void runtime.close();
		}
		this.#own.dispose();
	}

	async #openModels(): Promise<EditorModels> {
		try {
			const { EditorModels } = await import("./models/editorModels.ts");
			return await EditorModels.open(this.#keeping, this.#logger);
		} catch (error) {
			// The next who asks may find it repaired.
			this.#models = undefined;
			throw error;
		}
	}

	async #openFolder(folder: string | null): Promise<Runtime> {
		const [{ openRuntime }, models] = await Promise.all([import("./openRuntime.ts"), this.models()]);
		const runtime = await openRuntime(folder, this.#extensionUri, models, this.#logger);
		if (runtime.warning !== null) void vscode.window.showWarningMessage(runtime.warning);
		const own = new DisposableStore();
		own.add(runtime.runs.onDidChange((ids) => this.#tell(ids)));
		own.add(runtime.mcp.onDidChange(() => this.#serversChanged.fire()));
		own.add(runtime.plans.onDidChange(() => this.#plansChanged.fire()));
		own.add(runtime.approvals.onDidChange(() => this.#approvalsChanged.fire()));
		own.add(runtime.onDidAnnounce((announced) => this.#announced.fire(announced)));
		this.#opened.set(folder, { runtime, own });
		this.#tell(new Set());
		this.#approvalsChanged.fire();
		this.#plansChanged.fire();
		return runtime;
	}

	#tell(ids: ReadonlySet<string>): void {
		const hasParked = this.list().some(({ run }) => run.hold === "parked");
		if (hasParked !== this.#hasParked)
			void vscode.commands.executeCommand("setContext", contextKeys.hasParked, hasParked);
		this.#hasParked = hasParked;
		this.#changed.fire(ids);
	}

	/** Once per window for what concerns all folders; a folder can be tried again by the next command. */
	#fail(folder: string | null, error: unknown): void {
		const isNoSqlite = error instanceof ProblemError && error.problem.code === "store.noSqlite";
		if (!isNoSqlite) this.#opening.delete(folder);
		const isKnown = this.problem !== undefined;
		this.problem = isNoSqlite ? noSqlite : { code: "store.failed", message: messageOf(error) };
		void vscode.commands.executeCommand("setContext", contextKeys.unavailable, isNoSqlite ? "noSqlite" : "storeFailed");
		if (!isKnown) this.#reportFailure("Open Muster's store", isNoSqlite ? new ProblemError(noSqlite) : error);
		this.#changed.fire(new Set());
	}

	#followFolders(): void {
		const folders = new Set(openFolders());
		for (const [folder, { runtime, own }] of this.#opened) {
			if (folders.has(folder)) continue;
			own.dispose();
			void runtime.close();
			this.#opened.delete(folder);
			this.#opening.delete(folder);
		}
		void this.open();
	}
}

const noSqlite: Problem = {
	code: "store.noSqlite",
	message: `Muster needs the SQLite that comes with VS Code 1.101 or newer. This one (${vscode.version}, Node ${process.versions.node}) is without it: update VS Code, or the remote server that runs its extensions.`,
};
