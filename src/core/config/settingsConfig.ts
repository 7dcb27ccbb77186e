import type { ConfigOrigin } from "./configProblem.ts";
import { noPositions, type PositionTree } from "./positionTree.ts";
import { readJson } from "./configText.ts";
import { emptyConfig, type ParsedConfig, readConfigTables } from "./readConfigTables.ts";
import { repoSettingsTables, settingsNames, settingsTables, type SettingsValues } from "./settingsTables.ts";
import { isTable } from "./withholdSecrets.ts";

const prefix = "muster.";

/** The settings as parts of the configuration: the user's above everything, a workspace's in the repo layer. Never throws. */
export function readSettingsLayers(values: SettingsValues): readonly ParsedConfig[] {
	return (["user", "workspace", "folder"] as const).flatMap((level) => {
		const written = values[level];
		if (written === undefined || Object.keys(written).length === 0) return [];
		const layer = level === "user" ? "settings" : "repo";
		const allowed = level === "user" ? written : withoutUsersOwn(written);
		return [parseSettingsConfig({ layer, file: settingsNames[level], settings: level }, allowed)];
	});
}

function withoutUsersOwn(values: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
	return Object.fromEntries(repoSettingsTables.map((table) => [table, values[table]]));
}

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
	for (const table of settingsTables) {
		const key = [`${prefix}${table}`, table].find((name) => settings[name] !== undefined);
		if (key === undefined) continue;
		const node = tree.children.get(key) ?? { written: key, children: new Map() };
		if (table === "onDuplicateAgent") {
			addOnDuplicate(value, children, settings[key], node);
			continue;
		}
		value[table] = settings[key];
		children.set(table, node);
	}
	return readConfigTables(origin, value, { ...tree, children });
}

/** A setting of its own, and a key of `[agents]` in a file: no setting's name may begin with another's. */
function addOnDuplicate(
	value: Record<string, unknown>,
	children: Map<string | number, PositionTree>,
	onDuplicate: unknown,
	node: PositionTree,
): void {
	const { agents = {} } = value;
	if (!isTable(agents)) return;
	const parent = children.get("agents") ?? { written: "agents", children: new Map<string | number, PositionTree>() };
	value["agents"] = { ...agents, onDuplicate };
	children.set("agents", { ...parent, children: new Map([...parent.children, ["onDuplicate", node]]) });
}
