import path from "node:path";
import type { AgentDefinition } from "../../core/agents/agentDefinition.ts";
import type { FileProblem } from "../../core/base/fileProblem.ts";
import type { Catalog } from "../../core/catalog/discoverCatalog.ts";
import { isInSettings } from "../../core/config/settingsTables.ts";

/** What the Agents view needs of a folder's definitions. */
export interface AgentCatalog {
	readonly folder: string | null;
	readonly agents: Pick<Catalog["agents"], "agents" | "shadowed" | "problems">;
	readonly problems: readonly FileProblem[];
}

export interface AgentRow {
	readonly kind: "agent";
	readonly agent: AgentDefinition;
	/** Where it would work; undefined for a home agent of a window with several folders. */
	readonly folder?: string | null;
}

/** An agent that is there, and that another of its name is used instead of. */
export interface ShadowedRow {
	readonly kind: "shadowed";
	readonly agent: AgentDefinition;
	/** The file that is used: absolute, and as it is called in a row. */
	readonly by: string;
	readonly byShort: string;
}

export interface ProblemRow {
	readonly kind: "problem";
	readonly problem: FileProblem;
}

export interface LayerRow {
	readonly kind: "layer";
	readonly label: string;
	readonly rows: readonly (AgentRow | ShadowedRow | ProblemRow)[];
}

/** Home once, whatever the number of folders, then each folder. A layer with nothing to show is left out. */
export function toAgentLayers(catalogs: readonly AgentCatalog[]): LayerRow[] {
	const inSettings = settingsProblems(catalogs).map(toProblemRow);
	const repos = catalogs.map((catalog): LayerRow => {
		const { folder, agents } = catalog;
		const own = agents.agents.filter(({ layer }) => layer === "repo");
		const problems = agents.problems.filter((problem) => isError(problem) && isOfFolder(problem.file, folder));
		const rows = [
			...own.map((agent): AgentRow => ({ kind: "agent", agent, folder })),
			...shadowedRows(catalog, "repo"),
			...problems.map(toProblemRow),
		];
		return { kind: "layer", label: folder === null ? "no folder" : path.basename(folder), rows };
	});
	const layers: LayerRow[] = [
		{ kind: "layer", label: "settings", rows: inSettings },
		...repos,
		{ kind: "layer", label: "home", rows: homeRows(catalogs) },
	];
	return layers.filter(({ rows }) => rows.length > 0);
}

/** An agent of home is in effect where any folder leaves it so. */
function homeRows(catalogs: readonly AgentCatalog[]): LayerRow["rows"] {
	const [first] = catalogs;
	if (first === undefined) return [];
	const home = catalogs.flatMap(({ agents }) => agents.agents).filter(({ layer }) => layer === "home");
	const used = new Map(home.map((agent) => [agent.file, agent]));
	const shadowed = catalogs.flatMap((catalog) => shadowedRows(catalog, "home"));
	const unused = new Map(shadowed.filter(({ agent }) => !used.has(agent.file)).map((row) => [row.agent.file, row]));
	const problems = first.agents.problems.filter(
		(problem) => isError(problem) && !isOfFolder(problem.file, first.folder),
	);
	const place = catalogs.length > 1 ? {} : { folder: first.folder };
	return [
		...[...used.values()].map((agent): AgentRow => ({ kind: "agent", agent, ...place })),
		...unused.values(),
		...problems.map(toProblemRow),
	];
}

function shadowedRows({ folder, agents }: AgentCatalog, layer: AgentDefinition["layer"]): ShadowedRow[] {
	return agents.shadowed
		.filter(({ agent }) => agent.layer === layer)
		.map(({ agent, by }) => ({ kind: "shadowed", agent, by, byShort: shorten(by, folder) }));
}

function shorten(file: string, folder: string | null): string {
	if (folder === null || !isOfFolder(file, folder)) return file;
	return path.join(path.basename(folder), path.relative(folder, file));
}

function isOfFolder(file: string, folder: string | null): boolean {
	return folder !== null && file.startsWith(folder + path.sep);
}

export function isError({ severity }: FileProblem): boolean {
	return severity === "error";
}

/** What is wrong with settings has no place in Problems, so also what is only a warning is shown here. Each once. */
export function settingsProblems(catalogs: readonly AgentCatalog[]): FileProblem[] {
	const problems = catalogs.flatMap((catalog) => catalog.problems).filter(isInSettings);
	return [...new Map(problems.map((problem) => [`${problem.file}: ${problem.message}`, problem])).values()];
}

function toProblemRow(problem: FileProblem): ProblemRow {
	return { kind: "problem", problem };
}
