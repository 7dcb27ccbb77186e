import { basename, relative, sep } from "node:path";
import type { AgentLayer } from "./agentDefinition.ts";
import type { AgentDialect } from "./dialects/agentDialect.ts";
import { agentDialects } from "./dialects/agentDialects.ts";
import { nativeDialect } from "./dialects/nativeDialect.ts";

/** The dialect whose agent a file would be, by where it lies in a root; with its path from the dialect's folder. */
export function findDialect(
	layer: AgentLayer,
	root: string,
	file: string,
): { readonly dialect: AgentDialect; readonly path: string } | undefined {
	const place = relative(root, file).split(sep).join("/");
	if (basename(file).startsWith(".")) return undefined;
	for (const dialect of layer === "role" ? [nativeDialect] : agentDialects) {
		if (!dialect.matches(basename(file))) continue;
		const folder = dialect.folders(layer).find((candidate) => place.startsWith(`${candidate}/`));
		const path = folder === undefined ? undefined : place.slice(folder.length + 1);
		if (path !== undefined && path.split("/").length <= dialect.depth + 1) return { dialect, path };
	}
	return undefined;
}
