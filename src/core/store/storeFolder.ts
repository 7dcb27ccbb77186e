import { createHash } from "node:crypto";
import { realpathSync } from "node:fs";
import path from "node:path";

/**
 * Where a workspace folder's store is: the same for every window, every VS Code and the command line, because it follows
 * from the folder's real path alone.
 */
export function storeFolder(dataFolder: string, workspaceFolder: string | null): string {
	const workspaces = path.join(dataFolder, "workspaces");
	if (workspaceFolder === null) return path.join(workspaces, "no-folder");
	const realPath = realpathSync.native(workspaceFolder);
	const name = path.basename(realPath).replaceAll(/[^A-Za-z0-9._-]/gu, "_");
	const hash = createHash("sha256").update(realPath).digest("hex").slice(0, 16);
	return path.join(workspaces, `${name}-${hash}`);
}
