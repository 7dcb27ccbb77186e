import { isRuleFor, matchHost, matchPath, parseRule, type Rule } from "../permissions/rule.ts";
import type { Places } from "../permissions/findUnsafeWord.ts";
import { judgeRun } from "../permissions/judgeRun.ts";
import { resolveInside } from "../permissions/resolveInside.ts";
import type { SideEffect } from "../permissions/sideEffect.ts";
import type { Skill } from "./skill.ts";

/** What a skill that is in use leaves of an agent's tools. */
export interface SkillNarrowing {
	readonly skill: string;
	/** As the skill's file says it. */
	readonly allowed: readonly string[];
	readonly rules: readonly Rule[];
}

/** They reach nothing, and a skill could not be followed without them. */
const alwaysAllowed: ReadonlySet<string> = new Set(["skill", "todo"]);

/** Of background commands: who may start them may look after them. */
const companions: ReadonlySet<string> = new Set(["shell_status", "shell_kill"]);

/** Undefined when the skill leaves the tools as they are. An entry that can't be read allows nothing. */
export function readNarrowing(
	{ name, allowedTools = [] }: Skill,
	canonicalName: (name: string) => string,
): SkillNarrowing | undefined {
	if (allowedTools.length === 0 || allowedTools.includes("*")) return undefined;
	const rules = allowedTools.flatMap((text) => {
		// `Bash(*)` and `Bash()` are other spellings of `Bash`.
		const parsed = parseRule(text.replace(/\(\s*\*?\s*\)$/u, ""), { origin: `the skill ${name}`, canonicalName });
		return parsed.ok ? [parsed.rule] : [];
	});
	return { skill: name, allowed: allowedTools, rules };
}

/**
 * Why a call is outside of what the skill allows, written for the model; undefined when it is inside. It never allows
 * anything by itself: what is inside still has to pass the gate.
 */
export async function findNarrowingProblem(
	{ skill, allowed, rules }: SkillNarrowing,
	tool: string,
	effect: SideEffect,
	places: Places,
): Promise<string | undefined> {
	if (alwaysAllowed.has(tool)) return undefined;
	const own = companions.has(tool)
		? rules.filter((rule) => rule.tool === "shell" || rule.tool === "shell_start")
		: rules.filter((rule) => isRuleFor(rule, tool, effect.kind));
	if (own.length > 0 && (companions.has(tool) || (await isCovered(own, tool, effect, places)))) return undefined;
	return `The skill "${skill}" is in use, and it leaves only ${allowed.join(", ")}, skill and todo; this call of ${tool} is not among them. Do it with these, or say in your report what is left to do.`;
}

async function isCovered(rules: readonly Rule[], tool: string, effect: SideEffect, places: Places): Promise<boolean> {
	if (rules.some(({ pattern }) => pattern.kind === "any" || pattern.kind === "server")) return true;
	switch (effect.kind) {
		case "run": {
			const judged = await judgeRun(effect, tool, places, { deny: [], ask: [], allow: rules });
			return judged.verdict === "allow";
		}
		case "read":
		case "write": {
			const resolved = await resolveInside(effect.path, places.roots);
			return resolved.ok && rules.some((rule) => matchPath(rule, resolved.path, places) !== undefined);
		}
		case "fetch":
			return URL.canParse(effect.url) && rules.some((rule) => matchHost(rule, new URL(effect.url).host));
		case "none":
		case "search":
		case "mcp":
		case "start":
			return false;
	}
}
