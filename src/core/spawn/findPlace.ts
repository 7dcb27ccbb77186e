import { realpath, stat } from "node:fs/promises";
import path from "node:path";
import type { AgentDefinition } from "../agents/agentDefinition.ts";
import { isInside } from "../base/isInside.ts";
import type { Asking } from "./findTarget.ts";
import { refuse, type RefusedSpawn } from "./spawnAnswer.ts";
import type { SpawnRequest } from "./spawnRequest.ts";

export interface Place {
	/** A real path; null for the open folder. */
	readonly repoDir: string | null;
	readonly refusal?: RefusedSpawn;
}

/**
 * The folder to work in by its real path: what the name leads to later is not what was checked. The call's comes before the
 * agent's own, and that before its parent's. Who is restricted sends nobody out of its own folder.
 */
export async function findPlace(
	{ repoDir }: SpawnRequest,
	{ name, configured }: AgentDefinition,
	asking: Pick<Asking, "agent" | "isRestricted">,
	repoFolder: string | null,
): Promise<Place> {
	const parents = asking.agent?.configured?.workspace;
	if (repoDir === undefined) {
		const workspace = configured?.workspace ?? parents;
		if (workspace === undefined) return { repoDir: null };
		const own = await realFolder(workspace);
		if (own !== undefined) return { repoDir: own };
		const error = `The agent ${name} works in ${workspace}, which is not a folder that exists. Create it, or change the agent's workspace.`;
		return { repoDir: null, refusal: refuse("error", error) };
	}
	const outer = asking.isRestricted ? (parents ?? repoFolder) : repoFolder;
	const shown = JSON.stringify(repoDir.slice(0, 200));
	const real = await realFolder(path.resolve(outer ?? "/", repoDir));
	if (real === undefined) {
		const error = `repoDir ${shown} is not a folder that exists. Name one, or leave repoDir out.`;
		return { repoDir: null, refusal: refuse("error", error) };
	}
	const root = outer === null ? undefined : await realpath(outer).catch(() => undefined);
	if (root !== undefined && isInside(root, real)) return { repoDir: real };
	const isOwn = outer !== repoFolder;
	const error = isOwn
		? `repoDir ${shown} is outside the folder of the agent that asks, which is restricted to it. Leave repoDir out.`
		: `repoDir ${shown} is outside the open folder. Open that folder in VS Code and spawn there.`;
	return { repoDir: null, refusal: refuse("forbidden", error) };
}

async function realFolder(folder: string): Promise<string | undefined> {
	const real = await realpath(folder).catch(() => undefined);
	const status = real === undefined ? undefined : await stat(real).catch(() => undefined);
	return status?.isDirectory() === true ? real : undefined;
}
