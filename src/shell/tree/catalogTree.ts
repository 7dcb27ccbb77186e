import path from "node:path";
import * as vscode from "vscode";
import { secretContextValue } from "../../contributions.ts";
import { DisposableStore } from "../../core/base/disposable.ts";
import type { FileProblem } from "../../core/base/fileProblem.ts";
import type { Catalog } from "../../core/catalog/discoverCatalog.ts";
import { isInSettings } from "../../core/config/settingsTables.ts";
import type { WorkspaceCatalogs } from "../catalog/workspaceCatalogs.ts";
import { movableSecrets } from "../problems/movableSecrets.ts";

/** One thing that a file defines. */
export interface CatalogRow {
	readonly name: string;
	readonly layer: string;
	readonly file: string;
	readonly line?: number;
	readonly description: string;
	/** There, and not in effect. */
	readonly isUnused?: boolean;
	readonly contextValue: string;
	/** Instead of the view's own. */
	readonly icon?: vscode.ThemeIcon;
	/** More than a row can show. */
	readonly details?: string;
}

export interface CatalogTreeOptions {
	rows(catalog: Catalog): readonly CatalogRow[];
	problems(catalog: Catalog): readonly FileProblem[];
	readonly icon: string;
	/** What else than the files the rows tell of. */
	readonly alsoOn?: vscode.Event<unknown>;
}

type Node =
	| { readonly kind: "layer"; readonly layer: string; readonly rows: readonly CatalogRow[] }
	| { readonly kind: "row"; readonly row: CatalogRow }
	| { readonly kind: "problem"; readonly problem: FileProblem };

/** A view of what is defined on disk, by layer, with the files that cannot be loaded at its end. */
export class CatalogTree implements vscode.TreeDataProvider<Node>, vscode.Disposable {
	readonly #catalogs: WorkspaceCatalogs;
	readonly #options: CatalogTreeOptions;
	readonly #own = new DisposableStore();
	readonly #changed = this.#own.add(new vscode.EventEmitter<undefined>());
	readonly #view: vscode.TreeView<Node>;

	readonly onDidChangeTreeData = this.#changed.event;

	constructor(viewId: string, catalogs: WorkspaceCatalogs, options: CatalogTreeOptions) {
		this.#catalogs = catalogs;
		this.#options = options;
		this.#view = this.#own.add(vscode.window.createTreeView(viewId, { treeDataProvider: this }));
		this.#own.add(catalogs.onDidChange(() => this.#show()));
		if (options.alsoOn) this.#own.add(options.alsoOn(() => this.#changed.fire(undefined)));
	}

	async getChildren(node?: Node): Promise<Node[]> {
		if (node?.kind === "layer") return node.rows.map((row) => ({ kind: "row", row }));
		if (node) return [];
		const catalogs = await this.#catalogs.read();
		const rows = unique(catalogs.flatMap((catalog) => this.#options.rows(catalog)));
		const layers = [...Map.groupBy(rows, ({ layer }) => layer)].map(
			([layer, own]) => ({ kind: "layer", layer, rows: own }) as const,
		);
		return [...layers, ...this.#errors().map((problem) => ({ kind: "problem", problem }) as const)];
	}

	getTreeItem(node: Node): vscode.TreeItem {
		switch (node.kind) {
			case "layer":
				return layerItem(node.layer);
			case "row":
				return rowItem(node.row, this.#options.icon);
			case "problem":
				return problemItem(node.problem);
		}
	}

	dispose(): void {
		this.#own.dispose();
	}

	#errors(): FileProblem[] {
		const problems = this.#catalogs.catalogs.flatMap((catalog) => this.#options.problems(catalog));
		return unique(problems.filter(({ severity }) => severity === "error"));
	}

	#show(): void {
		const files = new Set(this.#errors().map(({ file }) => file)).size;
		this.#view.badge = files > 0 ? { value: files, tooltip: `${files} with problems` } : undefined;
		this.#changed.fire(undefined);
	}
}

/** Home is in the catalog of every folder. */
function unique<Item>(items: readonly Item[]): Item[] {
	return [...new Map(items.map((item) => [JSON.stringify(item), item])).values()];
}

function rowItem(
	{ name, file, line = 1, description, isUnused = false, contextValue, icon: own, details }: CatalogRow,
	icon: string,
): vscode.TreeItem {
	const item = new vscode.TreeItem(name);
	item.id = `${file}:${line}:${name}`;
	item.description = description.replaceAll(/\s+/gu, " ").trim();
	item.tooltip = [name, item.description, file, details].filter(Boolean).join("\n\n");
	item.iconPath = own ?? new vscode.ThemeIcon(isUnused ? "circle-slash" : icon);
	item.contextValue = contextValue;
	item.accessibilityInformation = { label: `${name}, ${item.description}` };
	if (file !== "") item.command = openFile(file, line);
	return item;
}

/** Rows have ids everywhere, so that an action on one that is being drawn anew still finds it. */
export function layerItem(label: string): vscode.TreeItem {
	const item = new vscode.TreeItem(label, vscode.TreeItemCollapsibleState.Expanded);
	item.id = label;
	return item;
}

/** A file that cannot be loaded, with the reason; a click goes to the place. */
export function problemItem(problem: FileProblem): vscode.TreeItem {
	const { file, line = 1, message, severity, remedies = [] } = problem;
	const name = path.basename(file);
	const item = new vscode.TreeItem(name);
	item.id = `${file}:${line}: ${message}`;
	item.description = message;
	item.tooltip = `${message}\n\n${file}`;
	const isError = severity === "error";
	item.iconPath = isError
		? new vscode.ThemeIcon("error", new vscode.ThemeColor("testing.iconFailed"))
		: new vscode.ThemeIcon(severity === "warning" ? "warning" : "info");
	item.accessibilityInformation = { label: `${name}${isError ? " cannot be loaded" : ""}: ${message}` };
	if (movableSecrets(problem).length > 0) item.contextValue = secretContextValue;
	const setting = remedies.flatMap((remedy) => (remedy.kind === "openSetting" ? [remedy.setting] : []))[0];
	item.command = isInSettings({ file }) ? openSetting(setting ?? "muster.") : openFile(file, line);
	return item;
}

function openSetting(setting: string): vscode.Command {
	return { command: "workbench.action.openSettings", title: "Open Setting", arguments: [setting] };
}

export function openFile(file: string, line: number): vscode.Command {
	const selection = new vscode.Range(line - 1, 0, line - 1, 0);
	return { command: "vscode.open", title: "Open File", arguments: [vscode.Uri.file(file), { selection }] };
}
