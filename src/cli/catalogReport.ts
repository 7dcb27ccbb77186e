import path from "node:path";
import type { Catalog } from "../core/catalog/discoverCatalog.ts";

export type CatalogReport = ReturnType<typeof toCatalogReport>;

/** What is defined, as `--json` prints it. Several catalogs are one: what they share is there once. */
export function toCatalogReport(catalogs: readonly Catalog[]) {
	const of = <Row>(rowsOf: (catalog: Catalog) => readonly Row[]) => unique(catalogs.flatMap(rowsOf));
	const ranks = { home: 0, role: 1, repo: 2 };
	return {
		layers: of(listLayers).toSorted((one, other) => ranks[one.name] - ranks[other.name]),
		agents: of(listAgents),
		skills: of(listSkills),
		mcpServers: of(listServers),
		problems: of(listProblems),
	};
}

function unique<Row>(rows: readonly Row[]): Row[] {
	return [...new Map(rows.map((row) => [JSON.stringify(row), row])).values()];
}

function listLayers({ layers: { roots } }: Catalog) {
	const found = [roots.home, roots.base, roots.repo].filter((root) => root !== undefined);
	return found.map(({ layer, path: root }) => ({ name: layer, root }));
}

/** Those of files, those that others are used instead of, and the static ones. */
function listAgents({ agents, config }: Catalog) {
	const all = [
		...agents.agents.map((agent) => ({ agent, shadowed: false })),
		...agents.shadowed.map(({ agent }) => ({ agent, shadowed: true })),
	];
	return [
		...all.map(({ agent: { name, layer, file, dialect, tools, model }, shadowed }) => ({
			name,
			layer,
			file,
			dialect,
			tools: tools ?? null,
			model: model ?? null,
			shadowed,
		})),
		...Array.from(config.agents, ([name, { value, provenance }]) => ({
			name,
			layer: provenance.layer === "builtIn" ? null : provenance.layer,
			file: provenance.file ?? null,
			dialect: provenance.layer === "builtIn" ? "builtin" : "config",
			tools: value.tools?.allow ?? null,
			model: value.model ?? null,
			shadowed: false,
		})),
	];
}

function listSkills({ skills }: Catalog) {
	return [
		...skills.skills.map(({ name, layer, file }) => ({ name, layer, file, disabled: false, shadowed: false })),
		...skills.unused.map(({ name, layer, file, reason }) => ({
			name,
			layer,
			file,
			disabled: reason === "disabled",
			shadowed: reason === "shadowed",
		})),
	];
}

function listServers({ mcpServers }: Catalog) {
	return mcpServers.map(({ name, type, isEnabled, provenance }) => ({
		name,
		layer: provenance.layer,
		file: provenance.file ?? null,
		type,
		enabled: isEnabled,
	}));
}

function listProblems({ problems }: Catalog) {
	return problems.map(({ severity, code, message, file, line, column }) => ({
		severity,
		code,
		message,
		file: path.isAbsolute(file) ? file : null,
		line: line ?? null,
		column: column ?? null,
	}));
}
