import path from "node:path";
import * as vscode from "vscode";
import { DisposableStore } from "../../core/base/disposable.ts";
import type { Catalog } from "../../core/catalog/discoverCatalog.ts";
import type { Logger } from "../../core/ports/logger.ts";
import { homeFolder, openFolders } from "../adapters/folders.ts";
import type { ReportFailure } from "../errors/reportFailure.ts";
import type { WorkspaceRuntimes } from "../workspaceRuntimes.ts";
import { definitionPattern } from "./definitionPattern.ts";

/** Editors, git and formatters write in bursts, and VS Code tells most of it twice. */
const settleMs = 150;

/** A burst that does not end, such as a large checkout, is read while it lasts. */
const longestSettleMs = 500;

/** VS Code tells nothing of what is made and gone again in one go, so after a burst the disk is looked at once more. */
const lookAgainMs = 600;

/** What is defined for one workspace folder, as it is on disk now. */
export interface FolderCatalog extends Catalog {
	readonly folder: string | null;
}

/**
 * The definitions of all folders, read again whenever their files change. Nothing is read before somebody asks or a runtime
 * is open, and nothing of a folder before it is trusted.
 */
export class WorkspaceCatalogs implements vscode.Disposable {
	readonly #runtimes: WorkspaceRuntimes;
	readonly #logger: Logger;
	readonly #reportFailure: ReportFailure;
	readonly #own = new DisposableStore();
	readonly #changed = this.#own.add(new vscode.EventEmitter<void>());
	#watchers = new DisposableStore();
	#watched = "";
	#fingerprint = "";
	#settling: NodeJS.Timeout | undefined;
	#overdue: NodeJS.Timeout | undefined;
	#again: NodeJS.Timeout | undefined;
	#reading: Promise<void> | undefined;
	#isStale = true;
	#logged = new Set<string>();

	readonly onDidChange = this.#changed.event;
	catalogs: readonly FolderCatalog[] = [];

	constructor(runtimes: WorkspaceRuntimes, logger: Logger, reportFailure: ReportFailure) {
		this.#runtimes = runtimes;
		this.#logger = logger;
		this.#reportFailure = reportFailure;
		this.#own.add({ dispose: () => this.#watchers.dispose() });
		this.#own.add({ dispose: () => this.#stopWaiting() });
		this.#own.add({ dispose: () => clearTimeout(this.#again) });
		this.#own.add(
			vscode.workspace.onDidChangeConfiguration(
				(change) => runtimes.isOpen && change.affectsConfiguration("muster") && this.#readSoon(),
			),
		);
		this.#own.add(runtimes.onDidChange((runIds) => runIds.size === 0 && runtimes.isOpen && this.#readSoon()));
	}

	/** Resolves with what is on disk at this moment, or shortly before. */
	async read(): Promise<readonly FolderCatalog[]> {
		while (this.#isStale || this.#reading) {
			this.#reading ??= this.#readAll().finally(() => (this.#reading = undefined));
			await this.#reading;
		}
		return this.catalogs;
	}

	/** Looks at the disk again, whatever the watchers say: some drives tell nothing. */
	refresh(): Promise<readonly FolderCatalog[]> {
		this.#isStale = true;
		return this.read();
	}

	dispose(): void {
		this.#own.dispose();
	}

	#readSoon(): void {
		this.#isStale = true;
		clearTimeout(this.#settling);
		const read = () => {
			this.#stopWaiting();
			void this.read();
			clearTimeout(this.#again);
			this.#again = setTimeout(() => void this.refresh(), lookAgainMs);
		};
		this.#settling = setTimeout(read, settleMs);
		this.#overdue ??= setTimeout(read, longestSettleMs);
	}

	#stopWaiting(): void {
		clearTimeout(this.#settling);
		clearTimeout(this.#overdue);
		this.#overdue = undefined;
	}

	async #readAll(): Promise<void> {
		this.#isStale = false;
		this.#watch();
		const read = openFolders().map(async (folder): Promise<FolderCatalog[]> => {
			const runtime = await this.#runtimes.runtimeOf(folder).catch(() => undefined);
			// One that cannot be had has been reported by `WorkspaceRuntimes`.
			return runtime ? [{ folder, ...(await runtime.catalog()) }] : [];
		});
		const settled = await Promise.allSettled(read);
		this.catalogs = settled.flatMap((result) => (result.status === "fulfilled" ? result.value : []));
		for (const result of settled)
			if (result.status === "rejected") this.#reportFailure("Read agents, skills and configuration", result.reason);
		this.#log();
		// Views that are drawn anew for nothing flicker, and lose the click that was on its way.
		const fingerprint = JSON.stringify(this.catalogs, (_, value: unknown) =>
			value instanceof Map ? [...value] : value,
		);
		if (fingerprint === this.#fingerprint) return;
		this.#fingerprint = fingerprint;
		this.#changed.fire();
	}

	/** Each problem once in the log for as long as it lasts. */
	#log(): void {
		const lines = this.catalogs.flatMap(({ problems }) =>
			problems.map(({ file, line, message }) =>
				[file, line, ` ${message}`].filter((part) => part !== undefined).join(":"),
			),
		);
		for (const line of new Set(lines)) if (!this.#logged.has(line)) this.#logger.warn(line);
		this.#logged = new Set(lines);
	}

	/** Watchers are kept while the folders stay the same: what happens between two of them would go unseen. */
	#watch(): void {
		const repos = vscode.workspace.isTrusted ? openFolders().filter((folder) => folder !== null) : [];
		const folders = [...new Set([homeFolder(), ...repos].map((folder) => path.resolve(folder)))];
		if (folders.join("\0") === this.#watched) return;
		this.#watched = folders.join("\0");
		this.#watchers.dispose();
		this.#watchers = new DisposableStore();
		for (const folder of folders) {
			const pattern = new vscode.RelativePattern(vscode.Uri.file(folder), definitionPattern);
			const watcher = this.#watchers.add(vscode.workspace.createFileSystemWatcher(pattern));
			for (const event of [watcher.onDidChange, watcher.onDidCreate, watcher.onDidDelete]) {
				this.#watchers.add(event(() => this.#readSoon()));
			}
		}
	}
}
