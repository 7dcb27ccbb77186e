import { nearestName } from "../base/nearestName.ts";
import { hasPattern, nameOfEntry } from "../base/toolEntry.ts";
import { unofferedTools } from "../base/unofferedTools.ts";
import type { AgentVocabulary } from "./agentVocabulary.ts";
import { isRecord, type FieldProblem } from "./fieldProblem.ts";
import type { FrontmatterPlaces } from "./locateInFrontmatter.ts";

/** What is written in the place of lists: understood, and said. */
export function readToolLists(data: unknown): { data: unknown; problems: FieldProblem[] } {
	if (!isRecord(data)) return { data, problems: [] };
	const { fields, problems } = readCommaLists(data);
	const { tools } = fields;
	if (!Array.isArray(tools) || !tools.includes("*")) return { data: fields, problems };
	const { tools: _, ...others } = fields;
	const message =
		'"*" gives no more than the parent has, which is what an agent without "tools" has. Leave the field out.';
	return {
		data: others,
		problems: [...problems, { severity: "warning", code: "agent.anyTool", message, path: ["tools"] }],
	};
}

/** Other programs write `tools: read_file, grep`. */
function readCommaLists(data: Readonly<Record<string, unknown>>) {
	const fields: Record<string, unknown> = { ...data };
	const problems: FieldProblem[] = [];
	for (const field of ["tools", "disallowedTools"]) {
		const value = data[field];
		if (typeof value !== "string") continue;
		fields[field] = value.split(",").map((name) => name.trim());
		const message = `"${field}" is a text and was read as a list. Write it in brackets: [${value}].`;
		const fixes = (places: FrontmatterPlaces) => {
			const range = places.value([field]);
			return range === undefined ? [] : [{ title: "Put it in brackets", edits: [{ range, newText: `[${value}]` }] }];
		};
		problems.push({ severity: "warning", code: "agent.commaList", message, path: [field], fixes });
	}
	return { fields, problems };
}

/**
 * An unknown tool in the list of tools is a mistake. In the list of denied ones it does no harm, so that one list serves
 * several versions and servers; only what looks like a slip of the pen is mentioned. A pattern that can't be read protects
 * nobody, so it is a mistake in both.
 */
export function findToolProblems(
	data: Readonly<Record<string, unknown>>,
	vocabulary: AgentVocabulary,
): readonly FieldProblem[] {
	const allowed = namesIn(data, "tools").flatMap(({ name, path }) => {
		if (unofferedTools.has(name)) return [describeUnoffered(name, path)];
		return vocabulary.isKnownTool(name) ? [] : [describeUnknown(name, path, vocabulary)];
	});
	const denied = namesIn(data, "disallowedTools")
		.filter(({ name }) => !unofferedTools.has(name) && !vocabulary.isKnownTool(name))
		.filter(({ name }) => name.length <= longestToolName && nearestName(name, vocabulary.toolNames) !== undefined)
		.map(({ name, path }) => ({
			...describeUnknown(name, path, vocabulary),
			severity: "information" as const,
		}));
	const patterns = ["tools", "disallowedTools"].flatMap((field) => findPatternProblems(data, field, vocabulary));
	return [...allowed, ...denied, ...patterns];
}

function findPatternProblems(
	data: Readonly<Record<string, unknown>>,
	field: string,
	vocabulary: AgentVocabulary,
): readonly FieldProblem[] {
	return namesIn(data, field).flatMap(({ entry, name, path }) => {
		if (!hasPattern(entry) || unofferedTools.has(name) || !vocabulary.isKnownTool(name)) return [];
		const message = vocabulary.findPatternProblem(entry);
		return message === undefined ? [] : [{ severity: "error", code: "agent.toolPattern", message, path }];
	});
}

/** No slip of the pen makes a name longer than this. */
const longestToolName = 64;

interface NamedTool {
	/** As it was written, perhaps with a pattern. */
	readonly entry: string;
	readonly name: string;
	readonly path: readonly [string, number];
}

function namesIn(data: Readonly<Record<string, unknown>>, field: string): readonly NamedTool[] {
	const names = data[field];
	if (!Array.isArray(names)) return [];
	return names.flatMap((entry: unknown, index) =>
		typeof entry === "string" && entry.trim() !== "" ? [{ entry, name: nameOfEntry(entry), path: [field, index] }] : [],
	);
}

function describeUnoffered(name: string, path: FieldProblem["path"]): FieldProblem {
	const message = `"${name}" is known from elsewhere and does not exist here. The agent works without it.`;
	return { severity: "information", code: "agent.unofferedTool", message, path, word: name };
}

function describeUnknown(name: string, path: NamedTool["path"], { toolNames }: AgentVocabulary): FieldProblem {
	const nearest = name.length > longestToolName ? undefined : nearestName(name, toolNames);
	const advice = nearest === undefined ? `Known tools: ${toolNames.join(", ")}.` : `Did you mean "${nearest}"?`;
	return {
		severity: "error",
		code: "agent.unknownTool",
		message: `There is no tool named "${name}". ${advice}`,
		path,
		word: name,
		fixes: (places) => {
			const range = places.word(path, name);
			if (nearest === undefined || range === undefined) return [];
			return [{ title: `Change to "${nearest}"`, edits: [{ range, newText: nearest }] }];
		},
	};
}
