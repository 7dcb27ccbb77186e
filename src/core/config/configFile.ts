import type { ConfigOrigin } from "./configProblem.ts";
import { readToml } from "./configText.ts";
import { emptyConfig, type ParsedConfig, readConfigTables } from "./readConfigTables.ts";

/**
 * Reads one `config.toml`. Never throws, whatever the bytes are. A text that can't be read at all counts as empty, with
 * one problem; otherwise what is wrong is left out entry by entry, and the rest loads. Leaves to `resolveConfig` what a
 * layer may say.
 */
export async function parseConfigFile(origin: ConfigOrigin, source: Uint8Array | string): Promise<ParsedConfig> {
	const read = await readToml(source);
	if ("problem" in read) return emptyConfig(origin, [{ ...read.problem, file: origin.file }]);
	return readConfigTables(origin, read.value, read.tree);
}
