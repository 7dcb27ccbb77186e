import type { ConfigOrigin } from "./configProblem.ts";
import { noPositions, type PositionTree } from "./positionTree.ts";
import { readJson } from "./configText.ts";
import { emptyConfig, type ParsedConfig, readConfigTables } from "./readConfigTables.ts";
import { isTable } from "./withholdSecrets.ts";

/** What settings can say. Servers are not among them: they have a place of their own in every editor. */
const tables: readonly string[] = ["agents", "bindings", "channels", "modelProviders", "permissions"];
const prefix = "muster.";

/**
 * Reads what VS Code's settings say in place of a `config.toml`: the values as the editor hands them over, or the text of
 * a settings file, which brings positions and may have comments. Keys are `muster.agents` or plain `agents`; all others
 * belong to somebody else. Never throws.
 *
 * Workspace and folder values are the repository's bytes: their origin's layer is `repo`.
 */
export function parseSettingsConfig(
	origin: ConfigOrigin,
	source: string | Readonly<Record<string, unknown>>,
): ParsedConfig {
	if (typeof source !== "string") return readSettings(origin, source, noPositions);
	const read = readJson(source);
	if ("problem" in read) return emptyConfig(origin, [{ ...read.problem, file: origin.file }]);
	return readSettings(origin, isTable(read.value) ? read.value : {}, read.tree);
}

function readSettings(
	origin: ConfigOrigin,
	settings: Readonly<Record<string, unknown>>,
	tree: PositionTree,
): ParsedConfig {
	const value: Record<string, unknown> = {};
	const children = new Map<string | number, PositionTree>();
	for (const table of tables) {
		const key = [`${prefix}${table}`, table].find((name) => settings[name] !== undefined);
		if (key === undefined) continue;
		value[table] = settings[key];
		children.set(table, tree.children.get(key) ?? { written: key, children: new Map() });
	}
	return readConfigTables(origin, value, { ...tree, children });
}
