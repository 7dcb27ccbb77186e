import { refuse, type RefusedSpawn } from "./spawnAnswer.ts";

/** Why nothing at all can be spawned in this workspace now, if anything is in the way. */
export function refuseHere(place: {
	readonly isTrusted: boolean;
	readonly isReadOnly: boolean;
}): RefusedSpawn | undefined {
	if (!place.isTrusted) {
		const error =
			"This workspace is not trusted, so nothing can run in it. Trust it with “Workspaces: Manage Workspace Trust”, then spawn again.";
		return refuse("forbidden", error);
	}
	if (!place.isReadOnly) return undefined;
	const error =
		"A newer version of Muster has written this workspace's runs. Update Muster to spawn here; what has run can still be read.";
	return refuse("error", error);
}
