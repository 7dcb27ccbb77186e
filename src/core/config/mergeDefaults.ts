import type { SubagentDefaults } from "./agentsFields.ts";
import type { ConfigProblem } from "./configProblem.ts";
import { type Narrow, narrowValue } from "./narrowValue.ts";
import { builtIn, layOver, refuseValue, type Resolved, sourceOf } from "./provenance.ts";
import type { ParsedConfig } from "./readConfigTables.ts";

export type ResolvedDefaults = {
	readonly [Field in keyof SubagentDefaults]?: Resolved<NonNullable<SubagentDefaults[Field]>>;
};

/** What holds where nobody says anything. */
export const builtInDefaults = {
	maxConcurrent: 8,
	archiveAfterMinutes: 60,
	runTimeoutSeconds: 900,
	maxTurns: 50,
} as const satisfies SubagentDefaults;

const { free, limit, limits, seconds, minutes, onlyThese, alsoThese } = narrowValue;

const rules: Readonly<Record<keyof SubagentDefaults, Narrow>> = {
	maxConcurrent: limit,
	roleMaxConcurrent: limits,
	archiveAfterMinutes: minutes,
	model: free,
	thinking: free,
	runTimeoutSeconds: seconds,
	maxTurns: limit,
	budget: limits,
	sessionBudget: limits,
	agentBudget: limits,
	dayBudget: limits,
	allowTools: onlyThese,
	denyTools: free,
};

/**
 * `agents.defaults.subagents` of all parts, the lowest first, field by field. The repo only narrows, against what holds
 * without all of its parts. What any layer denies stays denied.
 */
export function mergeDefaults(
	parts: readonly ParsedConfig[],
	canonicalName: (tool: string) => string,
): { readonly defaults: ResolvedDefaults; readonly problems: readonly ConfigProblem[] } {
	const problems: ConfigProblem[] = [];
	const merged = new Map<string, Resolved<unknown>>(
		Object.entries(builtInDefaults).map(([field, value]) => [field, layOver(value, builtIn)]),
	);
	let withoutRepo: ReadonlyMap<string, Resolved<unknown>> | undefined;
	for (const part of parts) {
		const isRepos = part.origin.layer === "repo";
		if (isRepos) withoutRepo ??= new Map(merged);
		const path = ["agents", "defaults", "subagents"];
		for (const [field, higher] of Object.entries(part.value.agents?.defaults?.subagents ?? {})) {
			// An empty list of allowed tools is how people write that they allow all.
			if (field === "allowTools" && Object(higher).length === 0) continue;
			const below = merged.get(field);
			const narrow: Narrow = isRepos ? rules[field as keyof SubagentDefaults] : free;
			const most = isRepos ? withoutRepo?.get(field)?.value : below?.value;
			const { value, refused } = narrow(most, higher, canonicalName);
			if (refused !== undefined) {
				const message = `A folder can only narrow what your own configuration allows: ${refused}.`;
				problems.push(refuseValue(part, [...path, field], message));
			}
			if (value === below?.value || (refused !== undefined && value === most)) continue;
			const joined = field === "denyTools" ? alsoThese(below?.value, value, canonicalName).value : value;
			merged.set(field, layOver(joined, sourceOf(part, [...path, field]), below));
		}
	}
	return { defaults: Object.fromEntries(merged), problems };
}
