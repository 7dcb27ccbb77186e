import type { AgentDefinition } from "../agentDefinition.ts";
import { longestTimerSeconds } from "../agentFields.ts";
import type { AgentVocabulary } from "../agentVocabulary.ts";
import type { FieldProblem } from "../fieldProblem.ts";
import { mapTool, namesEverything, type ToolTable } from "./foreignTools.ts";

/**
 * The entries of one foreign file, read one by one. Lenient, since the file is for another program: a value that can't be
 * used is left where it is, with a warning. What nobody asks for is nobody's fault.
 */
export class ForeignFields {
	readonly data: Readonly<Record<string, unknown>>;
	readonly problems: FieldProblem[] = [];
	readonly #title: string;
	readonly #vocabulary: AgentVocabulary;

	constructor(data: Readonly<Record<string, unknown>>, title: string, vocabulary: AgentVocabulary) {
		this.data = data;
		this.#title = title;
		this.#vocabulary = vocabulary;
	}

	has(key: string): boolean {
		const value = Object.hasOwn(this.data, key) ? this.data[key] : undefined;
		return value !== undefined && value !== null && value !== "";
	}

	text(key: string): string | undefined {
		const value = this.#take(key, "text", (found) => typeof found === "string" || typeof found === "number");
		return value === undefined ? undefined : String(value).trim() || undefined;
	}

	flag(key: string): boolean | undefined {
		return this.#take(key, "true or false", (found) => typeof found === "boolean");
	}

	count(key: string): number | undefined {
		return this.#take(key, "a whole number from 1", (found): found is number => isWhole(found) && found > 0);
	}

	seconds(key: string): number | undefined {
		const value = this.#take(key, "a number of seconds", (found): found is number => isWhole(found) && found >= 0);
		return value === undefined ? undefined : Math.min(value, longestTimerSeconds);
	}

	/** A list, or a text with commas or blanks between the names. */
	names(key: string): readonly string[] | undefined {
		const value = this.#take(key, "a list of names", (found) => typeof found === "string" || isPlainList(found));
		if (value === undefined) return undefined;
		const names = typeof value === "string" ? splitNames(value) : value.map(String);
		return names.map((name) => name.trim()).filter((name) => name !== "");
	}

	/** Says of an entry that is there that it has no effect. */
	inert(key: string, why: string): void {
		const value = this.has(key) ? this.data[key] : undefined;
		const isEmpty = typeof value === "object" && value !== null && Object.keys(value).length === 0;
		if (value === undefined || value === false || isEmpty) return;
		this.warn("agent.inert", key, `"${key}" has no effect here: ${why}`);
	}

	inform(code: string, key: string, message: string): void {
		this.problems.push({ severity: "information", code, message, path: [key] });
	}

	warn(code: string, key: string, message: string): void {
		this.problems.push({ severity: "warning", code, message, path: [key] });
	}

	/** With this, the file does not load. */
	refuse(code: string, key: string, message: string): void {
		this.problems.push({ severity: "error", code, message, path: [key] });
	}

	/** Our names for the tools of a list that says what the agent has. Undefined: whatever its parent has. */
	tools(key: string, own: ToolTable = {}): Pick<AgentDefinition, "tools"> {
		const names = this.names(key);
		if (names === undefined || namesEverything(names)) return {};
		const mapped = names.map((name) => ({ name, ...mapTool(name, own, this.#vocabulary) }));
		const tools = mapped.flatMap((tool) => (tool.kind === "ours" ? tool.names : []));
		if (tools.length === 0 && names.length > 0) {
			this.refuse("agent.noTools", key, describeNoTools(key, names));
			return {};
		}
		const lost = (kind: "unknown" | "theirs") => mapped.filter((tool) => tool.kind === kind).map(({ name }) => name);
		this.tellUnknown(key, lost("unknown"));
		this.#tellUnoffered(key, lost("theirs"));
		if (mapped.some((tool) => tool.kind === "ours" && tool.pattern !== undefined)) {
			this.inform(
				"agent.toolPattern",
				key,
				`The patterns in "${key}" are not applied: each use is asked for as usual.`,
			);
		}
		return { tools: [...new Set(tools)] };
	}

	/** Our names for tools that the agent must not have. One that we do not know is denied by its own name. */
	deniedTools(key: string, own: ToolTable = {}): readonly string[] {
		const names = this.names(key) ?? [];
		const [plain, patterned] = [
			names.filter((name) => !name.includes("(")),
			names.filter((name) => name.includes("(")),
		];
		if (patterned.length > 0) {
			const message = `Tools can only be denied as a whole, so these have no effect: ${patterned.join(", ")}.`;
			this.warn("agent.toolPattern", key, message);
		}
		return plain.flatMap((name) => {
			const tool = mapTool(name, own, this.#vocabulary);
			return tool.kind === "ours" ? tool.names : [name];
		});
	}

	/** Tools that the agent should have, and that neither we nor its own program have heard of. */
	tellUnknown(key: string, names: readonly string[]): void {
		if (names.length === 0) return;
		const message = `There is no tool of this name here, so the agent works without: ${names.join(", ")}.`;
		this.warn("agent.unknownTool", key, message);
	}

	#tellUnoffered(key: string, names: readonly string[]): void {
		if (names.length === 0) return;
		const message = `${this.#title} has tools that do not exist here. The agent works without: ${names.join(", ")}.`;
		this.inform("agent.unofferedTool", key, message);
	}

	#take<Value>(key: string, expected: string, fits: (value: unknown) => value is Value): Value | undefined {
		if (!this.has(key)) return undefined;
		const value = this.data[key];
		if (fits(value)) return value;
		this.warn("agent.field", key, `"${key}" should be ${expected}, and has no effect as it is.`);
		return undefined;
	}
}

/** Why an agent of whose tools none is left does not load. */
export function describeNoTools(key: string, names: readonly string[]): string {
	return `None of the tools in "${key}" exists here: ${names.join(", ")}. The agent could do nothing, so it is not loaded.`;
}

function isWhole(value: unknown): value is number {
	return Number.isInteger(value);
}

function isPlainList(value: unknown): value is readonly (string | number | boolean)[] {
	return Array.isArray(value) && value.every((item) => typeof item !== "object");
}

/** What is in parentheses belongs to the name before it. */
function splitNames(text: string): readonly string[] {
	if (namesEverything([text])) return [text];
	const separator = text.includes(",") ? /,/u : /\s/u;
	const names = [""];
	let depth = 0;
	for (const sign of text) {
		if (sign === "(") depth++;
		else if (sign === ")") depth--;
		if (depth <= 0 && separator.test(sign)) names.push("");
		else names.push(`${names.pop() ?? ""}${sign}`);
	}
	return names;
}
