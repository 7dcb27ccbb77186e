import { realpath } from "node:fs/promises";
import { dirname, join } from "node:path";
import { readRegularFile } from "../base/readRegularFile.ts";
import { toWrittenKeys } from "./canonicalKeys.ts";
import { parseConfigFile } from "./configFile.ts";
import type { ConfigLayer, ConfigOrigin, ConfigProblem } from "./configProblem.ts";
import { Config } from "./configSchema.ts";
import { type LayerInputs, type LayerRoot, type LayerRoots, resolveLayerRoots } from "./layerRoots.ts";
import { legacyFiles, parseLegacyConfig } from "./legacyConfig.ts";
import { emptyConfig, type ParsedConfig } from "./readConfigTables.ts";

export interface ConfigLayerInputs extends LayerInputs {
	/** A file whose servers replace those of all layers, for one run. */
	readonly mcpConfigPath?: string;
}

export interface ConfigLayers {
	readonly roots: LayerRoots;
	/** The layer that stands at the bottom. */
	readonly base: ConfigLayer;
	/** Every file that was read, whether or not something of it is used. */
	readonly parts: readonly ParsedConfig[];
	readonly hasOwnServers: boolean;
	/** Of the layers themselves; those of the files are with the files. */
	readonly problems: readonly ConfigProblem[];
}

/**
 * Reads the configuration files of a run's layers. Never throws; what can't be read is a problem of its file, and the
 * others load. What is read is a snapshot: files that change later change nothing in it.
 */
export async function loadConfigLayers(inputs: ConfigLayerInputs): Promise<ConfigLayers> {
	const roots = await resolveLayerRoots(inputs);
	const base = nameBase(roots);
	const parts: ParsedConfig[] = [];
	if (roots.home && base !== "home") parts.push(...(await loadHomeOnly(roots.home)));
	if (roots.base) parts.push(...(await loadLayer(roots.base, base)));
	if (roots.repo) parts.push(...(await loadLayer(roots.repo, "repo")));
	const mcpConfigPath = inputs.mcpConfigPath?.trim() ?? "";
	if (mcpConfigPath !== "") parts.push(await loadNamedFile(mcpConfigPath));
	return { roots, base, parts, hasOwnServers: mcpConfigPath !== "", problems: roots.problems };
}

function nameBase({ home, base }: LayerRoots): ConfigLayer {
	if (base?.layer === "role") return "role";
	return base === undefined || base.realPath === home?.realPath ? "home" : "workspace";
}

/** Of a home that is not the base, servers are not read; so neither are the files that have nothing else. */
async function loadHomeOnly(home: LayerRoot): Promise<readonly ParsedConfig[]> {
	const part = await loadFile(home, "home", configFile);
	return part === undefined ? [] : [part];
}

const configFile = join(".agents", "config.toml");

async function loadLayer(root: LayerRoot, layer: ConfigLayer): Promise<readonly ParsedConfig[]> {
	const part = await loadFile(root, layer, configFile);
	if (part !== undefined) return [part];
	const legacy = await Promise.all(legacyFiles.map((file) => loadFile(root, layer, file)));
	return offerMove(
		legacy.filter((file) => file !== undefined),
		join(root.path, configFile),
	);
}

/** `undefined` when there is no such file. */
async function loadFile(root: LayerRoot, layer: ConfigLayer, path: string): Promise<ParsedConfig | undefined> {
	const file = join(root.path, path);
	const origin: ConfigOrigin = { layer, file, isFromRepo: root.isInRepo };
	const read = await readRegularFile(file, root.realPath);
	if ("bytes" in read) return (path === configFile ? parseConfigFile : parseLegacyConfig)(origin, read.bytes);
	if (read.refusal === "missing") return undefined;
	return emptyConfig(origin, [{ severity: "error", code: `config.${read.refusal}`, message: read.message, file }]);
}

async function loadNamedFile(file: string): Promise<ParsedConfig> {
	const origin: ConfigOrigin = { layer: "call", file };
	const folder = await realpath(dirname(file)).catch(() => dirname(file));
	const read = await readRegularFile(file, folder);
	if ("bytes" in read) return (file.endsWith(".json") ? parseLegacyConfig : parseConfigFile)(origin, read.bytes);
	const message = `${file} can't be used as MCP configuration. ${read.message}`;
	return emptyConfig(origin, [{ severity: "error", code: "config.mcpConfigPath", message, file }]);
}

/**
 * Says that files of other programs were read, and offers to write what was read of all of them into ours: once that is
 * there, none of them is read any more.
 */
async function offerMove(parts: readonly ParsedConfig[], target: string): Promise<readonly ParsedConfig[]> {
	const mcpServers = Object.assign({}, ...parts.map(({ value }) => value.mcpServers)) as object;
	if (Object.keys(mcpServers).length === 0) return parts;
	const { stringify } = await import("smol-toml");
	const newText = stringify(toWrittenKeys(Config, { mcpServers }));
	const start = { line: 1, column: 1, endLine: 1, endColumn: 1 };
	return parts.map((part) => {
		if (part.value.mcpServers === undefined) return part;
		const problem: ConfigProblem = {
			severity: "information",
			code: "config.legacy",
			message: `The MCP servers in this file are used, because there is no ${configFile} beside it. Their place is there.`,
			file: part.origin.file,
			fixes: [{ title: "Move to .agents", edits: [{ file: target, range: start, newText }] }],
		};
		return { ...part, problems: [problem, ...part.problems] };
	});
}
