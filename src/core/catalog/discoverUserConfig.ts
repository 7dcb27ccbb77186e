import { loadConfigLayers } from "../config/configLayers.ts";
import { resolveConfig, type ResolvedConfig } from "../config/resolveConfig.ts";
import { readSettingsLayers } from "../config/settingsConfig.ts";
import { knownProviderIds } from "../models/builtinProviders.ts";
import { knownTools } from "../tools/knownTools.ts";
import { canonicalToolName } from "../tools/toolNames.ts";

/** What the user has configured, in home and in the settings, without looking at any workspace. */
export async function discoverUserConfig(
	homeDir: string,
	userSettings: Readonly<Record<string, unknown>>,
): Promise<ResolvedConfig> {
	const files = await loadConfigLayers({ homeDir });
	const layers = { ...files, parts: [...files.parts, ...readSettingsLayers({ user: userSettings })] };
	return resolveConfig(layers, { ...knownTools, canonicalToolName, providerIds: knownProviderIds });
}
