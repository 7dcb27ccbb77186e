import { join } from "node:path";
import { parseConfigFile } from "../../../../src/core/config/configFile.ts";
import { type ConfigLayerInputs, loadConfigLayers } from "../../../../src/core/config/configLayers.ts";
import type { ConfigLayer, ConfigProblem } from "../../../../src/core/config/configProblem.ts";
import type { ParsedConfig } from "../../../../src/core/config/readConfigTables.ts";
import { resolveConfig, type ResolvedConfig } from "../../../../src/core/config/resolveConfig.ts";
import { temporaryFolder } from "../../../fakes/temporaryFolder.ts";
import { vocabulary } from "./vocabulary.ts";

/** A text as the configuration of a layer. */
export function parsed(layer: ConfigLayer, text: string): Promise<ParsedConfig> {
	return parseConfigFile({ layer, file: `/${layer}/.agents/config.toml` }, text);
}

/** Texts by layer, resolved; the base is the highest of home, workspace and role that is there. */
export async function resolved(texts: Partial<Record<ConfigLayer, string>>): Promise<ResolvedConfig> {
	const parts = await Promise.all(Object.entries(texts).map(([layer, text]) => parsed(layer as ConfigLayer, text)));
	const base = (["role", "workspace"] as const).find((layer) => layer in texts) ?? "home";
	return resolveConfig({ base, parts, hasOwnServers: "call" in texts }, vocabulary);
}

/** Files below a home and a repo, read from the disk and resolved. The folder may be changed before it is read. */
export async function onDisk(
	files: Readonly<Record<string, string | Uint8Array>>,
	inputs: Partial<ConfigLayerInputs> | ((folder: string) => Partial<ConfigLayerInputs>) = {},
): Promise<{ folder: string; config: ResolvedConfig; layers: Awaited<ReturnType<typeof loadConfigLayers>> }> {
	const folder = temporaryFolder({ "home/.keep": "", "repo/.keep": "", ...files });
	const named = typeof inputs === "function" ? inputs(folder) : inputs;
	const layers = await loadConfigLayers({ homeDir: join(folder, "home"), repoDir: join(folder, "repo"), ...named });
	return { folder, layers, config: resolveConfig(layers, vocabulary) };
}

/** `error config.type 3:1` */
export function brief(problems: readonly ConfigProblem[]): string[] {
	return problems.map(({ severity, code, line, column }) =>
		[severity, code, ...(line === undefined ? [] : [`${line}:${column}`])].join(" "),
	);
}

export function codes(problems: readonly ConfigProblem[]): string[] {
	return problems.map(({ code }) => code);
}
