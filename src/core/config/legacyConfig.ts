import { join } from "node:path";
import type { ConfigOrigin } from "./configProblem.ts";
import { readJson, readToml } from "./configText.ts";
import { noPositions } from "./positionTree.ts";
import { emptyConfig, type ParsedConfig, readConfigTables } from "./readConfigTables.ts";
import { isTable } from "./withholdSecrets.ts";

/** Where servers are configured for other programs, the lowest first, from the layer's root. */
export const legacyFiles: readonly string[] = [join(".codex", "config.toml"), join(".goclaw", "mcp.json")];

/**
 * Reads the MCP servers of another program's file: `mcp_servers` of Codex's TOML, or the servers of a `mcp.json`. Nothing
 * else of it is looked at. Never throws.
 */
export async function parseLegacyConfig(origin: ConfigOrigin, source: Uint8Array | string): Promise<ParsedConfig> {
	const read = origin.file.endsWith(".json") ? readJson(source) : await readToml(source);
	if ("problem" in read) return emptyConfig(origin, [{ ...read.problem, file: origin.file }]);
	const { value, tree } = read;
	const key = ["mcp_servers", "mcpServers", "servers"].find((name) => isTable(value) && isTable(value[name]));
	if (key === undefined || !isTable(value)) return emptyConfig(origin);
	const servers = tree.children.get(key) ?? noPositions;
	return readConfigTables(
		origin,
		{ mcpServers: toServers(value[key]) },
		{
			...tree,
			children: new Map([["mcpServers", servers]]),
		},
	);
}

/** Goclaw's `timeoutSeconds` is that of a call; its `headers` are an alias everywhere. */
function toServers(servers: unknown): unknown {
	if (!isTable(servers)) return servers;
	return Object.fromEntries(
		Object.entries(servers).map(([name, server]) => {
			if (!isTable(server) || !("timeoutSeconds" in server)) return [name, server];
			const { timeoutSeconds, ...rest } = server;
			return [name, { toolTimeoutSec: timeoutSeconds, ...rest }];
		}),
	);
}
