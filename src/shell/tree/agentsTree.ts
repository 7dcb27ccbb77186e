import * as vscode from "vscode";
import { agentContextValue, views } from "../../contributions.ts";
import type { AgentDefinition } from "../../core/agents/agentDefinition.ts";
import { DisposableStore } from "../../core/base/disposable.ts";
import type { WorkspaceCatalogs } from "../catalog/workspaceCatalogs.ts";
import {
	isError,
	settingsProblems,
	toAgentLayers,
	type AgentRow,
	type LayerRow,
	type ShadowedRow,
} from "./agentRows.ts";
import { layerItem, openFile, problemItem } from "./catalogTree.ts";

type Row = LayerRow | LayerRow["rows"][number];

/** Commands can be called by anybody with anything. */
export function isAgentRow(value: unknown): value is AgentRow {
	return typeof value === "object" && value !== null && "kind" in value && value.kind === "agent" && "agent" in value;
}

/** The Agents view: by layer, what can be spawned, what others are used instead of, and what cannot be loaded. */
export class AgentsTree implements vscode.TreeDataProvider<Row>, vscode.Disposable {
	readonly #catalogs: WorkspaceCatalogs;
	readonly #own = new DisposableStore();
	readonly #changed = this.#own.add(new vscode.EventEmitter<undefined>());
	readonly #view: vscode.TreeView<Row>;

	readonly onDidChangeTreeData = this.#changed.event;

	constructor(catalogs: WorkspaceCatalogs) {
		this.#catalogs = catalogs;
		this.#view = this.#own.add(vscode.window.createTreeView(views.agents, { treeDataProvider: this }));
		this.#own.add(
			catalogs.onDidChange(() => {
				const problems = [
					...catalogs.catalogs.flatMap((catalog) => catalog.agents.problems),
					...settingsProblems(catalogs.catalogs),
				];
				const { size } = new Set(problems.filter(isError).map(({ file }) => file));
				this.#view.badge = size > 0 ? { value: size, tooltip: `${size} with problems` } : undefined;
				this.#changed.fire(undefined);
			}),
		);
	}

	async getChildren(row?: Row): Promise<Row[]> {
		if (row?.kind === "layer") return [...row.rows];
		return row ? [] : toAgentLayers(await this.#catalogs.read());
	}

	getTreeItem(row: Row): vscode.TreeItem {
		switch (row.kind) {
			case "layer":
				return layerItem(row.label);
			case "agent":
				return agentItem(row.agent);
			case "shadowed":
				return shadowedItem(row);
			case "problem":
				return problemItem(row.problem);
		}
	}

	dispose(): void {
		this.#own.dispose();
	}
}

function agentItem(agent: AgentDefinition): vscode.TreeItem {
	const item = new vscode.TreeItem(agent.name);
	item.id = agent.file;
	const description = agent.description.replaceAll(/\s+/gu, " ").trim();
	item.description = description;
	item.tooltip = [agent.name, description, agent.file].join("\n\n");
	item.iconPath = new vscode.ThemeIcon("hubot");
	item.contextValue = agent.visibility === "user-facing" ? agentContextValue : "";
	item.accessibilityInformation = { label: `agent ${agent.name}, ${description}` };
	item.command = openFile(agent.file, 1);
	return item;
}

function shadowedItem({ agent, by, byShort }: ShadowedRow): vscode.TreeItem {
	const item = new vscode.TreeItem(agent.name);
	item.id = agent.file;
	item.description = `shadowed by ${byShort}`;
	item.tooltip = [agent.name, `Not used: ${by} has the same name and is used instead.`, agent.file].join("\n\n");
	item.iconPath = new vscode.ThemeIcon("circle-slash");
	item.contextValue = "";
	item.accessibilityInformation = { label: `agent ${agent.name}, shadowed by ${byShort}` };
	item.command = openFile(agent.file, 1);
	return item;
}
