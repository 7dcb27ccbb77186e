import path from "node:path";
import * as vscode from "vscode";
import { agentContextValue, views } from "../../contributions.ts";
import type { AgentDefinition } from "../../core/agents/agentDefinition.ts";
import { DisposableStore } from "../../core/base/disposable.ts";
import type { FileProblem } from "../../core/base/fileProblem.ts";
import { isInSettings } from "../../core/config/settingsTables.ts";
import { layerItem, openFile, problemItem } from "./catalogTree.ts";
import type { FolderCatalog, WorkspaceCatalogs } from "../catalog/workspaceCatalogs.ts";

type Row =
	| {
			readonly kind: "layer";
			readonly label: string;
			readonly agents: readonly AgentRow[];
			readonly problems: readonly FileProblem[];
	  }
	| AgentRow
	| { readonly kind: "problem"; readonly problem: FileProblem };

export interface AgentRow {
	readonly kind: "agent";
	readonly agent: AgentDefinition;
	/** Where it would work; undefined for a home agent of a window with several folders. */
	readonly folder?: string | null;
}

/** Commands can be called by anybody with anything. */
export function isAgentRow(value: unknown): value is AgentRow {
	return typeof value === "object" && value !== null && "kind" in value && value.kind === "agent" && "agent" in value;
}

/** The Agents view: by layer, what can be spawned and what cannot be loaded. */
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
		if (row?.kind === "layer")
			return [...row.agents, ...row.problems.map((problem) => ({ kind: "problem", problem }) as const)];
		return row ? [] : toLayers(await this.#catalogs.read());
	}

	getTreeItem(row: Row): vscode.TreeItem {
		if (row.kind === "layer") return layerItem(row.label);
		return row.kind === "agent" ? agentItem(row.agent) : problemItem(row.problem);
	}

	dispose(): void {
		this.#own.dispose();
	}
}

function isError({ severity }: FileProblem): boolean {
	return severity === "error";
}

/** Home once, whatever the number of folders, then each folder. A layer with nothing to show is left out. */
function toLayers(catalogs: readonly FolderCatalog[]): Row[] {
	const hasSeveral = catalogs.length > 1;
	const layer = (label: string, agents: readonly AgentRow[], problems: readonly FileProblem[]): Row[] =>
		agents.length + problems.length === 0 ? [] : [{ kind: "layer", label, agents, problems }];
	const isOfFolder = (file: string, folder: string | null) => folder !== null && file.startsWith(folder + path.sep);
	const repos = catalogs.flatMap(({ folder, agents: { agents, problems } }) =>
		layer(
			folder === null ? "no folder" : path.basename(folder),
			agents.filter((agent) => agent.layer === "repo").map((agent) => ({ kind: "agent", agent, folder })),
			problems.filter((problem) => isError(problem) && isOfFolder(problem.file, folder)),
		),
	);
	const [first] = catalogs;
	const home = layer(
		"home",
		(first?.agents.agents ?? [])
			.filter((agent) => agent.layer === "home")
			.map((agent) => ({ kind: "agent", agent, ...(hasSeveral ? {} : { folder: first?.folder ?? null }) })),
		(first?.agents.problems ?? []).filter(
			(problem) => isError(problem) && !isOfFolder(problem.file, first?.folder ?? null),
		),
	);
	return [...layer("settings", [], settingsProblems(catalogs)), ...repos, ...home];
}

/** What is wrong with settings has no place in Problems, so also what is only a warning is shown here. Each once. */
function settingsProblems(catalogs: readonly FolderCatalog[]): FileProblem[] {
	const problems = catalogs.flatMap((catalog) => catalog.problems).filter(isInSettings);
	return [...new Map(problems.map((problem) => [`${problem.file}: ${problem.message}`, problem])).values()];
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
