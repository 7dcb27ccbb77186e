import { parseRule, type Rule } from "../permissions/rule.ts";
import { readPlanScope, type PlanScope } from "../plans/planScope.ts";
import { planOrigin, ruleForCommand, ruleForFile } from "../plans/scopeRules.ts";
import type { Run } from "../runs/run.ts";
import type { Database } from "../store/database.ts";
import { canonicalToolName } from "../tools/toolNames.ts";
import type { RunDefinition } from "./runExecutor.ts";

/** What the approved plan lets its run do; null for a run that carries none out. */
export async function readScope({ request }: Run, database: Database): Promise<PlanScope | null> {
	const plan = request.planId === undefined ? null : await database.call("getPlan", { id: request.planId });
	if (!plan) return null;
	const scope = readPlanScope(plan.text);
	// Another agent's word opens files for editing, and no commands.
	return plan.decidedBy === "agent" ? { ...scope, commands: [] } : scope;
}

/**
 * The rules of a run that carries a plan out: what a section of the plan lists passes unasked, and outside of it everything
 * but reading asks, whatever was allowed before. What the user denies or wants to be asked for stays so.
 */
export function narrowToPlan(
	{ rules, edits }: RunDefinition,
	scope: PlanScope | null,
): Pick<RunDefinition, "rules" | "edits"> {
	if (!scope) return { rules, edits };
	const { files, commands } = scope;
	const kept = rules.allow.filter(({ tool }) => {
		if (writing.has(tool)) return files === undefined;
		return !running.has(tool) || commands === undefined;
	});
	const planned = [
		...(files ?? []).map(ruleForFile).flatMap(toRule),
		...(commands ?? []).map(ruleForCommand).flatMap(toRule),
	];
	return { rules: { ...rules, allow: [...kept, ...planned] }, edits: files === undefined ? edits : "ask" };
}

const writing: ReadonlySet<string> = new Set(["write_file", "edit_file"]);
const running: ReadonlySet<string> = new Set(["shell", "shell_start"]);

function toRule(text: string | undefined): Rule[] {
	if (text === undefined) return [];
	const parsed = parseRule(text, { origin: planOrigin, canonicalName: canonicalToolName });
	return parsed.ok ? [parsed.rule] : [];
}
