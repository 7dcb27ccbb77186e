import { isDeepStrictEqual } from "node:util";
import * as z from "zod";
import { nearestName } from "../base/nearestName.ts";
import type { PartProblem } from "./configProblem.ts";
import type { Path, PositionTree } from "./positionTree.ts";
import { isTable } from "./withholdSecrets.ts";

export interface CanonicalKeys {
	readonly value: unknown;
	readonly tree: PositionTree;
	/** By paths of the canonical value. */
	readonly problems: readonly PartProblem[];
}

/** Names that other programs use for the same thing. */
const aliases: Readonly<Record<string, string>> = {
	allowFrom: "ownerIds",
	experimentalEnvironment: "environmentId",
	headers: "httpHeaders",
	maxIterations: "maxTurns",
	timeoutSeconds: "runTimeoutSeconds",
};

/**
 * Spells every key as the schema does: `allow_agents`, `allowAgents` and `allow-agents` are one. Keys that the schema does
 * not know are left out with a warning; one key in two spellings with different values is an error.
 * Names that people choose, such as those of servers and variables, stay as they are.
 */
export function toCanonicalKeys(schema: z.core.$ZodType, value: unknown, tree: PositionTree): CanonicalKeys {
	const problems: PartProblem[] = [];

	function convert(inner: z.core.$ZodType, part: unknown, node: PositionTree, path: Path): Part {
		const container = containerOf(inner);
		if (container instanceof z.ZodArray && Array.isArray(part)) {
			const items = part.map((item, index) => convert(container.element, item, childOf(node, index), [...path, index]));
			return { value: items.map((item) => item.value), tree: withChildren(node, items.entries()) };
		}
		if (!isTable(part)) return { value: part, tree: node };
		if (container instanceof z.ZodRecord) {
			const parts = Object.entries(part).map(
				([key, item]) => [key, convert(container.valueType, item, childOf(node, key), [...path, key])] as const,
			);
			return toTable(node, parts);
		}
		return container instanceof z.ZodObject ? convertObject(container, part, node, path) : { value: part, tree: node };
	}

	function convertObject(object: z.ZodObject, table: Table, node: PositionTree, path: Path): Part {
		const parts = new Map<string, Part>();
		for (const [written, item] of Object.entries(table)) {
			const key = canonicalKey(written, object.shape);
			const child = childOf(node, written);
			const schemaOfKey = key === undefined ? undefined : object.shape[key];
			if (key === undefined || schemaOfKey === undefined) {
				problems.push(describeUnknownKey(written, object, [...path, written]));
				parts.set(written, { value: undefined, tree: child });
				continue;
			}
			const converted = convert(schemaOfKey, item, child, [...path, key]);
			const other = parts.get(key);
			if (other === undefined) parts.set(key, converted);
			else if (!isDeepStrictEqual(other.value, converted.value)) {
				const message = `"${written}" and "${other.tree.written}" are the same key with different values. Keep one of them.`;
				problems.push({ severity: "error", code: "config.twoSpellings", message, path: [...path, key] });
			}
		}
		return toTable(node, [...parts]);
	}

	return { ...convert(schema, value, tree, []), problems };
}

type Table = Readonly<Record<string, unknown>>;

interface Part {
	readonly value: unknown;
	readonly tree: PositionTree;
}

/** The list, map or object behind whatever makes it optional. */
export function containerOf(schema: z.core.$ZodType): z.core.$ZodType {
	const { def } = schema._zod;
	return "innerType" in def ? containerOf(def.innerType as z.core.$ZodType) : schema;
}

/** The schema's spelling of a key; `undefined` when it has no such key. */
export function canonicalKey(written: string, shape: z.core.$ZodShape): string | undefined {
	const camel = written.replaceAll(/[-_]+([A-Za-z0-9])/gu, (_, letter: string) => letter.toUpperCase());
	return [written, camel, aliases[camel] ?? ""].find((key) => Object.hasOwn(shape, key));
}

/** How configuration files spell a key. */
export function snakeCase(key: string): string {
	return key.replaceAll(/[A-Z]/gu, (letter) => `_${letter.toLowerCase()}`);
}

/** A canonical value with its keys as configuration files spell them. */
export function toWrittenKeys(schema: z.core.$ZodType, value: unknown): unknown {
	const container = containerOf(schema);
	if (container instanceof z.ZodArray && Array.isArray(value)) {
		return value.map((item) => toWrittenKeys(container.element, item));
	}
	if (!isTable(value)) return value;
	const entries = Object.entries(value).map(([key, part]): [string, unknown] => {
		if (container instanceof z.ZodRecord) return [key, toWrittenKeys(container.valueType, part)];
		const inner = container instanceof z.ZodObject ? container.shape[key] : undefined;
		return inner === undefined ? [key, part] : [snakeCase(key), toWrittenKeys(inner, part)];
	});
	return Object.fromEntries(entries);
}

function describeUnknownKey(written: string, object: z.ZodObject, path: Path): PartProblem {
	const isCamelCase = /[a-z][A-Z]/u.test(written);
	const known = Object.keys(object.shape).map((key) => (isCamelCase ? key : snakeCase(key)));
	const nearest = nearestName(written, known);
	const advice = nearest === undefined ? `Known here: ${known.join(", ")}.` : `Did you mean "${nearest}"?`;
	const message = `There is no key "${written.slice(0, 60)}" here, and it was ignored. ${advice}`;
	return { severity: "warning", code: "config.unknownKey", message, path };
}

function childOf(node: PositionTree, step: string | number): PositionTree {
	return node.children.get(step) ?? { written: step, children: new Map() };
}

function toTable(node: PositionTree, parts: readonly (readonly [string, Part])[]): Part {
	const known = parts.filter(([, part]) => part.value !== undefined);
	return {
		value: Object.fromEntries(known.map(([key, part]) => [key, part.value])),
		tree: withChildren(node, parts),
	};
}

function withChildren(node: PositionTree, parts: Iterable<readonly [string | number, Part]>): PositionTree {
	return { ...node, children: new Map(Array.from(parts, ([key, part]) => [key, part.tree])) };
}
