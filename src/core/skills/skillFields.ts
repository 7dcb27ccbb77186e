import * as z from "zod";
import type { LocalFix } from "../agents/agentProblem.ts";
import { isRecord, type FieldProblem } from "../agents/fieldProblem.ts";
import type { FrontmatterPlaces } from "../agents/locateInFrontmatter.ts";
import type { Skill, SkillOrigin } from "./skill.ts";
import { findNameProblem } from "./skillName.ts";
import { yamlText } from "./yamlText.ts";

export type SkillFields = Omit<Skill, keyof SkillOrigin>;

export type ReadFields =
	| { readonly fields: SkillFields; readonly warnings: readonly FieldProblem[] }
	| { readonly error: FieldProblem };

export const longestDescription = 1_024;
const longestCompatibility = 500;

const Text = z.string().trim().min(1);
const Mapping = z.custom<Record<string, unknown>>(isRecord);
const Tools = z.union([z.string(), z.array(z.string())]).nullish();

/**
 * The fields of the Agent Skills format, as leniently as its guide asks: what is merely out of order is a warning, and
 * what is not known is kept. A skill without a description is none, because nothing says when to use it.
 */
export function readSkillFields(data: unknown, folderName: string): ReadFields {
	if (!isRecord(data)) return { error: notAMapping };
	const { name, description, license, compatibility, metadata, "allowed-tools": tools, ...rest } = data;
	const text = Text.safeParse(description);
	if (!text.success) return { error: describeDescription(description) };
	const toolList = Tools.safeParse(tools);
	if (!toolList.success) return { error: wrongTools };

	const allowedTools = splitTools(toolList.data ?? []);
	const declaredName = Text.safeParse(name).data;
	const extra = { ...rest };
	const warnings = [
		...checkName(name, folderName),
		...checkLengths(text.data, compatibility),
		...checkTools(allowedTools),
	];
	const optional = <Key extends string, T>(key: Key, value: unknown, schema: z.ZodType<T>, kind: string) => {
		if (value === undefined || value === null) return undefined;
		const parsed = schema.safeParse(value);
		if (parsed.success) return { [key]: parsed.data } as Readonly<Record<Key, T>>;
		extra[key] = value;
		warnings.push(warn("skill.field", key, `\`${key}\` must be ${kind}, so it is not used.`));
		return undefined;
	};
	return {
		fields: {
			description: text.data,
			...(declaredName !== undefined && declaredName !== folderName && { declaredName }),
			...optional("license", license, Text, "text"),
			...optional("compatibility", compatibility, Text, "text"),
			...optional("metadata", metadata, Mapping, "keys with values"),
			...(allowedTools.length > 0 && { allowedTools }),
			extra,
		},
		warnings,
	};
}

const notAMapping: FieldProblem = {
	severity: "error",
	code: "skill.yaml",
	message: "The frontmatter must be keys with values, such as `description: What the skill does`.",
	path: [],
};

const wrongTools: FieldProblem = {
	severity: "error",
	code: "skill.allowedTools",
	message:
		"`allowed-tools` must be text such as `Read Bash(git diff:*)`, or a list of texts. Correct it, or remove it.",
	path: ["allowed-tools"],
};

function warn(code: string, key: string, message: string): FieldProblem {
	return { severity: "warning", code, message, path: [key] };
}

function describeDescription(description: unknown): FieldProblem {
	const problem = { severity: "error", code: "skill.noDescription" } as const;
	if (description !== undefined) {
		const message = "`description` must be text that says what the skill does and when to use it.";
		return { ...problem, message, path: ["description"] };
	}
	const message = "The skill has no `description`, so nobody can tell when to use it. Add one to the frontmatter.";
	return { ...problem, message, path: [], fixes: addEntry("description", "What this skill does and when to use it.") };
}

function checkName(name: unknown, folderName: string): FieldProblem[] {
	if (name === undefined) {
		const message = `The skill has no \`name\`; that of its folder, "${folderName}", is used. Add it.`;
		const fixes = addEntry("name", yamlText(folderName));
		return [{ severity: "warning", code: "skill.noName", message, path: [], fixes }];
	}
	if (name !== folderName) {
		const message = `\`name\` is ${shorten(name)}, but its folder is "${folderName}", and that is used. Make them equal.`;
		return [{ ...warn("skill.nameMismatch", "name", message), fixes: changeName(yamlText(folderName)) }];
	}
	const problem = findNameProblem(folderName);
	if (problem === undefined) return [];
	return [warn("skill.name", "name", `The name "${folderName}" ${problem}. Other clients may refuse it.`)];
}

function addEntry(key: string, value: string): (places: FrontmatterPlaces) => readonly LocalFix[] {
	return ({ end, lineEnd }) => [
		{ title: `Add \`${key}\``, edits: [{ range: end, newText: `${key}: ${value}${lineEnd}` }] },
	];
}

function changeName(name: string): (places: FrontmatterPlaces) => readonly LocalFix[] {
	return (places) => {
		const range = places.entry("name");
		const title = `Change the name to ${name}`;
		return range === undefined ? [] : [{ title, edits: [{ range, newText: `name: ${name}${places.lineEnd}` }] }];
	};
}

function checkLengths(description: string, compatibility: unknown): FieldProblem[] {
	const problems: FieldProblem[] = [];
	if (description.length > longestDescription) {
		const message = `\`description\` has ${description.length} characters; models are shown the first ${longestDescription}. Make it shorter.`;
		problems.push(warn("skill.longDescription", "description", message));
	}
	if (typeof compatibility === "string" && compatibility.length > longestCompatibility) {
		const message = `\`compatibility\` has ${compatibility.length} characters; the format allows ${longestCompatibility}. Make it shorter.`;
		problems.push(warn("skill.longCompatibility", "compatibility", message));
	}
	return problems;
}

function checkTools(tools: readonly string[]): FieldProblem[] {
	const widest = tools.find((tool) => /^\*$|\(\s*\*?\s*\)$/u.test(tool));
	if (widest === undefined) return [];
	const message = `\`${widest}\` in \`allowed-tools\` grants nothing: a skill can only narrow what its agent may use.`;
	return [warn("skill.grantsNothing", "allowed-tools", message)];
}

/** Names are set apart by commas or blanks, but not inside of brackets: `Bash(git diff:*), Read`. */
function splitTools(tools: string | readonly string[]): readonly string[] {
	const names = typeof tools === "string" ? (tools.match(/(?:\([^)]*\)?|[^\s,(])+/gu) ?? []) : tools;
	return [...new Set(names.map((name) => name.trim()))].filter((name) => name !== "");
}

function shorten(value: unknown): string {
	const shown = JSON.stringify(value);
	return shown.length > 80 ? `${shown.slice(0, 80)}…` : shown;
}
