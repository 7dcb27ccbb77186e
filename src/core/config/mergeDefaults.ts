import type { SubagentDefaults } from "./agentsFields.ts";
import { snakeCase } from "./canonicalKeys.ts";
import type { ConfigProblem } from "./configProblem.ts";
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

/** Of `lower` and `higher`, what holds when the higher layer may only take away; `refused` says what it may not. */
interface Narrowed {
	readonly value: unknown;
	readonly refused?: string;
}

type Narrow = (lower: unknown, higher: unknown, canonicalName: (tool: string) => string) => Narrowed;

const free: Narrow = (_, higher) => ({ value: higher });

const limit: Narrow = (lower, higher) => {
	const isMore = lower !== undefined && Number(higher) > Number(lower);
	return isMore ? { value: lower, refused: `it can be at most ${Number(lower)}` } : { value: higher };
};

/** 0 is no limit, which is the most there is. */
const timer: Narrow = (lower, higher) => {
	const most = lower === 0 ? Number.POSITIVE_INFINITY : Number(lower);
	const isMore = (higher === 0 ? Number.POSITIVE_INFINITY : Number(higher)) > most;
	return isMore ? { value: lower, refused: `it can be at most ${most} seconds` } : { value: higher };
};

const limits: Narrow = (lower, higher) => {
	const most = Object(lower) as Readonly<Record<string, number>>;
	const entries = Object.entries(Object(higher) as Readonly<Record<string, number>>);
	const more = entries.filter(([key, value]) => value > (most[key] ?? Number.POSITIVE_INFINITY));
	const value = { ...most, ...Object.fromEntries(entries.filter((entry) => !more.includes(entry))) };
	const refused = more.map(([key]) => `${snakeCase(key)} can be at most ${most[key]}`).join(", ");
	return refused === "" ? { value } : { value, refused };
};

const onlyThese: Narrow = (lower, higher, canonicalName) => {
	if (lower === undefined) return { value: higher };
	const known = new Set((lower as string[]).map(canonicalName));
	const more = (higher as string[]).filter((tool) => !known.has(canonicalName(tool)));
	const value = (higher as string[]).filter((tool) => !more.includes(tool));
	return more.length === 0 ? { value } : { value, refused: `${more.join(", ")} is not among the allowed tools` };
};

const rules: Readonly<Record<keyof SubagentDefaults, Narrow>> = {
	maxConcurrent: limit,
	roleMaxConcurrent: limits,
	archiveAfterMinutes: free,
	model: free,
	thinking: free,
	runTimeoutSeconds: timer,
	maxTurns: limit,
	budget: limits,
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
			const narrow = isRepos ? rules[field as keyof SubagentDefaults] : free;
			const most = isRepos ? withoutRepo?.get(field)?.value : below?.value;
			const { value, refused } = narrow(most, higher, canonicalName);
			if (refused !== undefined) {
				const message = `A folder can only narrow what your own configuration allows: ${refused}.`;
				problems.push(refuseValue(part, [...path, field], message));
			}
			if (value === below?.value || (refused !== undefined && value === most)) continue;
			const joined = field === "denyTools" ? joinNames(below?.value, value, canonicalName) : value;
			merged.set(field, layOver(joined, sourceOf(part, [...path, field]), below));
		}
	}
	return { defaults: Object.fromEntries(merged), problems };
}

function joinNames(lower: unknown, higher: unknown, canonicalName: (tool: string) => string): readonly string[] {
	const names = [...((lower ?? []) as string[]), ...(higher as string[])];
	return [...new Map(names.map((name) => [canonicalName(name), name])).values()];
}
