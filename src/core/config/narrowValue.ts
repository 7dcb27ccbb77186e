import { snakeCase } from "./canonicalKeys.ts";

/** Of `lower` and `higher`, what holds when the higher layer may only take away; `refused` says what it may not. */
export interface Narrowed {
	readonly value: unknown;
	readonly refused?: string;
}

export type Narrow = (lower: unknown, higher: unknown, canonicalName: (tool: string) => string) => Narrowed;

/** How a repo may narrow a value, by what kind of value it is. */
export const narrowValue = {
	free: (_, higher) => ({ value: higher }),
	limit: (lower, higher) => {
		const isMore = lower !== undefined && Number(higher) > Number(lower);
		return isMore ? { value: lower, refused: `it can be at most ${Number(lower)}` } : { value: higher };
	},
	seconds: timer("seconds"),
	minutes: timer("minutes"),
	limits: (lower, higher) => {
		const most = Object(lower) as Readonly<Record<string, number>>;
		const entries = Object.entries(Object(higher) as Readonly<Record<string, number>>);
		const more = entries.filter(([key, value]) => value > (most[key] ?? Number.POSITIVE_INFINITY));
		const value = { ...most, ...Object.fromEntries(entries.filter((entry) => !more.includes(entry))) };
		const refused = more.map(([key]) => `${snakeCase(key)} can be at most ${most[key]}`).join(", ");
		return refused === "" ? { value } : { value, refused };
	},
	onlyThese: (lower, higher, canonicalName) => {
		if (lower === undefined) return { value: higher };
		const known = new Set((lower as string[]).map(canonicalName));
		const more = (higher as string[]).filter((tool) => !known.has(canonicalName(tool)));
		const value = (higher as string[]).filter((tool) => !more.includes(tool));
		return more.length === 0 ? { value } : { value, refused: `${more.join(", ")} is not among the allowed tools` };
	},
	alsoThese: (lower, higher, canonicalName) => {
		const names = [...((lower ?? []) as string[]), ...(higher as string[])];
		return { value: [...new Map(names.map((name) => [canonicalName(name), name])).values()] };
	},
	/** Without a list an agent may spawn no other; `*` is any. */
	agents: (lower, higher) => {
		const own = (lower ?? []) as string[];
		const known = new Set(own.map((id) => id.toLowerCase()));
		const more = known.has("*") ? [] : (higher as string[]).filter((id) => !known.has(id.toLowerCase()));
		const value = (higher as string[]).filter((id) => !more.includes(id));
		return more.length === 0 ? { value } : { value, refused: `${more.join(", ")} is not among the allowed agents` };
	},
	sandbox: (lower, higher) =>
		higher === "trusted" && lower === "restricted"
			? { value: lower, refused: "it stays restricted" }
			: { value: higher === "restricted" ? higher : lower },
} as const satisfies Readonly<Record<string, Narrow>>;

/** 0 is no limit, which is the most there is. */
function timer(unit: string): Narrow {
	return (lower, higher) => {
		const most = lower === 0 ? Number.POSITIVE_INFINITY : Number(lower);
		const isMore = (higher === 0 ? Number.POSITIVE_INFINITY : Number(higher)) > most;
		return isMore ? { value: lower, refused: `it can be at most ${most} ${unit}` } : { value: higher };
	};
}
