import type { Remedy } from "../../core/base/errors.ts";
import type { FileProblem } from "../../core/base/fileProblem.ts";
import { findSecretOwner } from "../../core/config/secretOwner.ts";

export type MovableSecret = Extract<Remedy, { kind: "moveToSecretStorage" }>;

/** The secrets that a problem is about and that their owner would find in Secret Storage. */
export function movableSecrets({ remedies = [] }: Pick<FileProblem, "remedies">): readonly MovableSecret[] {
	return remedies.filter(
		(remedy): remedy is MovableSecret =>
			remedy.kind === "moveToSecretStorage" && findSecretOwner(remedy.path) !== undefined,
	);
}
