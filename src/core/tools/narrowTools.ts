import { hasPattern, nameOfEntry } from "../base/toolEntry.ts";
import { canonicalToolName } from "./toolNames.ts";

/** Which tools there may be: without `tools` every one, without `disallowedTools` none is taken away. */
export interface ToolLists {
	readonly tools?: readonly string[] | undefined;
	readonly disallowedTools?: readonly string[] | undefined;
	/** Each the entries that one list has of one tool, e.g. `shell(git *)`: what none of them fits is denied. */
	readonly limits?: readonly (readonly string[])[] | undefined;
}

/** Lists that were put together, without empty places. */
export interface NarrowedTools {
	readonly tools?: string[];
	readonly disallowedTools?: string[];
	readonly limits?: string[][];
}

/** What all of these lists leave: only what each of them allows, and nothing that one of them denies. `tools` are names. */
export function narrowTools(...lists: readonly ToolLists[]): NarrowedTools {
	const denied = [...new Set(lists.flatMap(({ disallowedTools = [] }) => disallowedTools))];
	const limits = lists.flatMap((list) => [...(list.limits ?? []).map((limit) => [...limit]), ...limitsIn(list)]);
	const allowed = lists
		.flatMap(({ tools }) => (tools === undefined || tools.includes("*") ? [] : [[...new Set(tools.map(nameOfEntry))]]))
		.reduce<string[] | undefined>((one, other) => (one ? intersect(one, other) : [...other]), undefined);
	return {
		...(allowed && { tools: allowed }),
		...(denied.length > 0 && { disallowedTools: denied }),
		...(limits.length > 0 && { limits }),
	};
}

/** A list that also names the tool alone, or all tools, sets no limit. */
function limitsIn({ tools = [] }: ToolLists): string[][] {
	const open = new Set(tools.filter((entry) => !hasPattern(entry)).map(canonicalToolName));
	if (open.has("*")) return [];
	const byTool = Map.groupBy(tools.filter(hasPattern), (entry) => canonicalToolName(nameOfEntry(entry)));
	return [...byTool].filter(([tool]) => !open.has(tool)).map(([, entries]) => entries);
}

/** The narrower of two entries stays: a tool of a server, where the other list has the whole server. */
function intersect(one: readonly string[], other: readonly string[]): string[] {
	const kept = [...one.filter((name) => isIn(name, other)), ...other.filter((name) => isIn(name, one))];
	return [...new Map(kept.map((name) => [canonicalToolName(name), name])).values()];
}

function isIn(name: string, list: readonly string[]): boolean {
	const canonical = canonicalToolName(name);
	return list.map(canonicalToolName).some((each) => each === canonical || isServerOf(each, canonical));
}

/** Names of servers hold no `__`. */
function isServerOf(whole: string, tool: string): boolean {
	const server = whole.replace(/__\*$/u, "");
	return /^mcp__(?:(?!__).)+$/u.test(server) && (tool === server || tool.startsWith(`${server}__`));
}
