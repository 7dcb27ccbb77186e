import { ProblemError } from "../../core/base/errors.ts";
import type { WorkspaceCatalogs } from "../catalog/workspaceCatalogs.ts";
import { rowName } from "../tree/rowName.ts";

/** Switches the skill of a row on or off, by a `.disabled` file in the open folder, else in home. Twice is once. */
export async function switchSkill(
	catalogs: WorkspaceCatalogs,
	row: unknown,
	to: "enabled" | "disabled",
): Promise<void> {
	const name = rowName(row);
	const catalog = (await catalogs.refresh()).find(({ skills }) =>
		[...skills.skills, ...skills.unused].some((skill) => skill.name === name),
	);
	if (name === undefined || catalog === undefined) return;
	const { toggleSkill } = await import("../../core/skills/toggleSkill.ts");
	const { base, repo } = catalog.layers.roots;
	const roots = [base, repo].filter((root) => root !== undefined).map(({ path }) => path);
	const result = await toggleSkill(name, to, roots);
	if (!result.isDone) throw new ProblemError(result.problem);
	await catalogs.refresh();
}
