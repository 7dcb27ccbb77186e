import * as z from "zod";
import { canonicalKey, containerOf, snakeCase } from "./canonicalKeys.ts";
import { Config } from "./configSchema.ts";

/** A key that can be written in a table, for completion and hover. */
export interface ConfigKey {
	/** As configuration files spell it. */
	readonly key: string;
	readonly description?: string;
	/** The texts that it takes, where it takes only some. */
	readonly values?: readonly string[];
	readonly kind: "text" | "number" | "flag" | "list" | "table";
}

/**
 * The keys that a table of a configuration can have. The path is the table's, in any spelling, with or without the
 * indexes of lists; a name that people choose is any name. Empty where a table has no keys of its own.
 */
export function listConfigKeys(path: readonly (string | number)[]): readonly ConfigKey[] {
	const schema = path.reduce<z.core.$ZodType | undefined>(
		(inner, step) => (inner === undefined ? undefined : stepInto(inner, step)),
		Config,
	);
	const table = schema && elementOf(schema);
	if (!(table instanceof z.ZodObject)) return [];
	return Object.entries(table.shape).map(([key, value]) => describeKey(key, value));
}

function stepInto(schema: z.core.$ZodType, step: string | number): z.core.$ZodType | undefined {
	if (typeof step === "number") return elementOf(schema);
	const container = elementOf(schema);
	if (container instanceof z.ZodRecord) return container.valueType;
	if (!(container instanceof z.ZodObject)) return undefined;
	const key = canonicalKey(step, container.shape);
	return key === undefined ? undefined : container.shape[key];
}

function elementOf(schema: z.core.$ZodType): z.core.$ZodType {
	const container = containerOf(schema);
	return container instanceof z.ZodArray ? containerOf(container.element) : container;
}

function describeKey(key: string, schema: z.core.$ZodType): ConfigKey {
	const inner = containerOf(schema);
	const { description, enum: listed } = z.globalRegistry.get(inner) ?? {};
	const values = inner instanceof z.ZodEnum ? inner.options.map(String) : (listed as readonly string[] | undefined);
	return {
		key: snakeCase(key),
		...(description !== undefined && { description }),
		...(values && { values }),
		kind: kindOf(inner),
	};
}

function kindOf(schema: z.core.$ZodType): ConfigKey["kind"] {
	if (schema instanceof z.ZodArray) return "list";
	if (schema instanceof z.ZodObject || schema instanceof z.ZodRecord) return "table";
	if (schema instanceof z.ZodBoolean) return "flag";
	return schema instanceof z.ZodNumber ? "number" : "text";
}
