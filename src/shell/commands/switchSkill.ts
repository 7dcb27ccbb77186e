import { ProblemError } from "../../core/base/errors.ts";
import type { WorkspaceCatalogs } from "../catalog/workspaceCatalogs.ts";

/** Switches the skill of a row on or off, by a `.disabled` file in the open folder, else in home. Twice is once. */
export async function switchSkill(
	catalogs: WorkspaceCatalogs,
	row: unknown,
	to: "enabled" | "disabled",
): Promise<void> {
	const name = skillName(row);
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

/** Commands can be called by anybody with anything. */
function skillName(node: unknown): string | undefined {
	if (typeof node !== "object" || node === null || !("row" in node)) return undefined;
	const { row } = node;
	return typeof row === "object" && row !== null && "name" in row && typeof row.name === "string"
		? row.name
		: undefined;
}
