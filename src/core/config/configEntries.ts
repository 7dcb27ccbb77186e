import type * as z from "zod";
import type { PartProblem } from "./configProblem.ts";
import { type Path, type PositionTree, writtenPath } from "./positionTree.ts";
import { isTable } from "./withholdSecrets.ts";

/** Stands for any key or index. */
const any = null;

/**
 * What is left out when something in it is wrong, and how it is called; the first that fits counts. An entry is as large
 * as it must be: a server with half of its fields would be another server.
 */
const entries: readonly { readonly pattern: readonly (string | null)[]; readonly noun: string }[] = [
	{ pattern: ["mcpServers", any], noun: "server" },
	{ pattern: ["agents", "list", any], noun: "agent" },
	{ pattern: ["agents", "profiles", any], noun: "agent" },
	{ pattern: ["agents", "defaults", "subagents", any], noun: "value" },
	{ pattern: ["agents", any], noun: "value" },
	{ pattern: ["bindings", any], noun: "binding" },
	{ pattern: ["channels", any, "accounts", any], noun: "account" },
	{ pattern: ["channels", any], noun: "channel" },
	{ pattern: ["modelProviders", any], noun: "provider" },
	{ pattern: ["permissions", any, any], noun: "rule" },
	{ pattern: ["permissions", any], noun: "list" },
	{ pattern: [any], noun: "value" },
];

/** The entry that a part belongs to. */
export function entryOf(path: Path): { readonly path: Path; readonly noun: string } {
	const entry = entries.find(
		({ pattern }) =>
			pattern.length <= path.length && pattern.every((step, index) => step === any || step === path[index]),
	);
	return { path: path.slice(0, entry?.pattern.length ?? 0), noun: entry?.noun ?? "file" };
}

/** Leaves out what is at these paths; the positions of the rest stay right. */
export function leaveOut(
	value: unknown,
	tree: PositionTree,
	paths: readonly Path[],
): { readonly value: unknown; readonly tree: PositionTree } {
	const omitted = new Set(paths.map((path) => JSON.stringify(path)));

	function prune(part: unknown, node: PositionTree, path: Path): { value: unknown; tree: PositionTree } {
		if (!Array.isArray(part) && !isTable(part)) return { value: part, tree: node };
		const steps: readonly (string | number)[] = Array.isArray(part) ? [...part.keys()] : Object.keys(part);
		const kept = steps
			.filter((step) => !omitted.has(JSON.stringify([...path, step])))
			.map((step) => {
				const child = node.children.get(step) ?? { written: step, children: new Map() };
				return { step, ...prune((part as Readonly<Record<string | number, unknown>>)[step], child, [...path, step]) };
			});
		const children = kept.map(({ step, tree: child }, index) => [Array.isArray(part) ? index : step, child] as const);
		return {
			value: Array.isArray(part)
				? kept.map((item) => item.value)
				: Object.fromEntries(kept.map((item) => [item.step, item.value])),
			tree: { ...node, children: new Map(children) },
		};
	}

	return prune(value, tree, []);
}

/** What the schema refused, in words. Never says what a text is: it could be a secret in the wrong place. */
export function describeIssue(issue: z.core.$ZodIssue, value: unknown, tree: PositionTree): PartProblem {
	const path = issue.path.map((step) => (typeof step === "symbol" ? String(step) : step));
	const { noun } = entryOf(path);
	const part = path.reduce<unknown>((inner, step) => (Object(inner) as Record<string | number, unknown>)[step], value);
	const written = writtenPath(tree, path);
	const effect = `The ${noun} is left out until this is fixed.`;
	if (part === undefined) {
		const message = `"${written}" is missing. Add it. ${effect}`;
		return { severity: "error", code: "config.missingKey", message, path };
	}
	const message = `"${written}" ${issue.message}; it is ${describeValue(part, issue)}. ${effect}`;
	return { severity: "error", code: codeOf(issue, part), message, path };
}

function codeOf(issue: z.core.$ZodIssue, part: unknown): string {
	const code: unknown = issue.code === "custom" ? issue.params?.["code"] : undefined;
	if (typeof code === "string") return code;
	if (typeof part === "number" || typeof part === "bigint") {
		const isRange = !Number.isFinite(part) || issue.code === "too_big" || issue.code === "too_small";
		return isRange ? "config.range" : "config.type";
	}
	return issue.code === "invalid_type" || issue.code === "invalid_value" || issue.code === "invalid_union"
		? "config.type"
		: "config.value";
}

function describeValue(part: unknown, issue: z.core.$ZodIssue): string {
	if (part === "") return "empty";
	if (typeof part === "string") {
		if (issue.code === "invalid_type") return "text";
		return issue.code === "invalid_value" && part.length <= 40 ? JSON.stringify(part) : "another text";
	}
	if (Array.isArray(part)) return "a list";
	if (part instanceof Date) return "a date";
	return isTable(part) ? "a table" : String(part);
}
