import { realpath, stat } from "node:fs/promises";
import path from "node:path";
import { isInside } from "../base/isInside.ts";
import { refuse, type RefusedSpawn } from "./spawnAnswer.ts";

export type McpConfig = { readonly mcpConfigPath: string | null } | { readonly refusal: RefusedSpawn };

/**
 * The file whose MCP servers replace all others of the run, by its real path. Outside of the folder that the run works in,
 * only a person may name one: it decides which programs are started.
 */
export async function findMcpConfig(
	mcpConfigPath: string | undefined,
	isPerson: boolean,
	folder: string | null,
): Promise<McpConfig> {
	if (mcpConfigPath === undefined) return { mcpConfigPath: null };
	const shown = JSON.stringify(mcpConfigPath.slice(0, 200));
	const real = await realpath(path.resolve(folder ?? "/", mcpConfigPath)).catch(() => undefined);
	const status = real === undefined ? undefined : await stat(real).catch(() => undefined);
	if (real === undefined || status?.isFile() !== true) {
		const error = `mcpConfigPath ${shown} is not a file that exists. Name one, or leave mcpConfigPath out.`;
		return { refusal: refuse("error", error) };
	}
	const root = folder === null ? undefined : await realpath(folder).catch(() => undefined);
	if (isPerson || (root !== undefined && isInside(root, real))) return { mcpConfigPath: real };
	const error = `mcpConfigPath ${shown} is outside the open folder, where only the user may name one. Leave mcpConfigPath out, or ask the user to spawn with it.`;
	return { refusal: refuse("forbidden", error) };
}
