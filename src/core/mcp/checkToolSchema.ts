const maxBytes = 64 * 1024;
const maxDepth = 32;
const forbiddenNames = new Set(["__proto__", "constructor", "prototype"]);

type Table = Readonly<Record<string, unknown>>;

/**
 * Why a tool's schema can't be given to a model; undefined when it can. Looks at the shape only, and follows no reference:
 * one that points to itself a thousand times costs nothing here.
 */
export function findToolSchemaProblem(schema: unknown): string | undefined {
	if (!isTable(schema)) return "its input schema is no object";
	if (schema["type"] !== "object") return `its input schema must be of type "object"`;
	const size = JSON.stringify(schema).length;
	if (size > maxBytes)
		return `its input schema is ${Math.ceil(size / 1024)} KB long; ${maxBytes / 1024} KB is the most`;
	const rest: { readonly value: unknown; readonly depth: number; readonly isSchema: boolean }[] = [
		{ value: schema, depth: 0, isSchema: true },
	];
	for (let next = rest.pop(); next; next = rest.pop()) {
		const { value, depth, isSchema } = next;
		if (depth > maxDepth) return `its input schema is nested more than ${maxDepth} deep`;
		if (Array.isArray(value)) rest.push(...value.map((each: unknown) => ({ value: each, depth: depth + 1, isSchema })));
		if (!isTable(value)) continue;
		const odd = Object.keys(value).find((name) => forbiddenNames.has(name));
		if (odd !== undefined) return `its input schema has a field "${odd}"`;
		const problem = isSchema ? findPartProblem(value, schema) : undefined;
		if (problem !== undefined) return problem;
		for (const [name, each] of Object.entries(value)) {
			// What stands below these are values and not schemas.
			const isValue = isSchema && ["default", "enum", "const", "examples"].includes(name);
			rest.push({ value: each, depth: depth + 1, isSchema: isSchema && !isValue });
		}
	}
	return undefined;
}

function findPartProblem(part: Table, root: Table): string | undefined {
	const { $ref: reference, properties } = part;
	// A property may have such a name; then it is a schema, and no text.
	if (typeof reference === "string" && !isFound(reference, root)) {
		return `its input schema refers to ${JSON.stringify(reference.slice(0, 100))}, which is not in it`;
	}
	if (part !== root) return undefined;
	if (part["required"] !== undefined && !isListOfTexts(part["required"])) return `"required" is no list of names`;
	if (properties === undefined) return undefined;
	if (!isTable(properties)) return "its properties are no object";
	const bad = Object.entries(properties).find(([, each]) => !isTable(each) && typeof each !== "boolean");
	return bad && `its field ${JSON.stringify(bad[0].slice(0, 100))} has no schema`;
}

/** Only a place in the same schema: nothing is fetched. */
function isFound(reference: string, root: Table): boolean {
	if (reference === "#") return true;
	if (!reference.startsWith("#/")) {
		const { $defs: definitions } = root;
		return isTable(definitions) && Object.values(definitions).some((each) => hasAnchor(each, reference));
	}
	let place: unknown = root;
	for (const step of reference.slice(2).split("/")) {
		const name = step.replaceAll("~1", "/").replaceAll("~0", "~");
		if (typeof place !== "object" || place === null || !Object.hasOwn(place, name)) return false;
		place = (place as Table)[name];
	}
	return true;
}

function hasAnchor(value: unknown, reference: string): boolean {
	return isTable(value) && typeof value["$anchor"] === "string" && `#${value["$anchor"]}` === reference;
}

function isTable(value: unknown): value is Table {
	return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isListOfTexts(value: unknown): boolean {
	return Array.isArray(value) && value.every((each) => typeof each === "string");
}
