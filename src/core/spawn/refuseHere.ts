import { explainReadOnly, type ReadOnlyReason } from "../store/readOnly.ts";
import { refuse, type RefusedSpawn } from "./spawnAnswer.ts";

/** Why nothing at all can be spawned in this workspace now, if anything is in the way. */
export function refuseHere(place: {
	readonly isTrusted: boolean;
	readonly readOnly: ReadOnlyReason | null;
}): RefusedSpawn | undefined {
	if (!place.isTrusted) {
		const error =
			"This workspace is not trusted, so nothing can run in it. Trust it with “Workspaces: Manage Workspace Trust”, then spawn again.";
		return refuse("forbidden", error);
	}
	return place.readOnly === null ? undefined : refuse("error", explainReadOnly(place.readOnly));
}
