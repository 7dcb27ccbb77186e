import type { TextProblem } from "../agentProblem.ts";
import { messageOf } from "../../base/errors.ts";
import { rangesIn } from "../../base/textEdit.ts";
import type { FieldProblem } from "../fieldProblem.ts";
import { frontmatterLimits } from "../prescan.ts";

export type Toml = { readonly data: Readonly<Record<string, unknown>> } | { readonly problem: TextProblem };

/** What a TOML file says, no deeper than frontmatter may be: dotted keys nest without bound. Loads its parser when called. */
export async function readToml(text: string): Promise<Toml> {
	const { parse, TomlError } = await import("smol-toml");
	try {
		const data = parse(text);
		return isDeeper(data, frontmatterLimits.depth) ? { problem: tooDeep } : { data };
	} catch (error) {
		const place = error instanceof TomlError ? { line: error.line, column: error.column } : { line: 1, column: 1 };
		const [reason = ""] = messageOf(error)
			.replace(/^Invalid TOML document: /u, "")
			.split("\n");
		const message = `The file is not valid TOML: ${reason}.`;
		const end = { endLine: place.line, endColumn: place.column + 1 };
		return { problem: { severity: "error", code: "agent.toml", message, ...place, ...end } };
	}
}

/** A problem at the first line that gives its key; at the beginning where there is none. */
export function placeInToml({ severity, code, message, path }: FieldProblem, text: string): TextProblem {
	const key = String(path[0] ?? "");
	const found = Array.from(text.matchAll(/^[ \t[]*["']?([\w-]+)["']?[ \t]*[=.\]]/gmu)).find(([, name]) => name === key);
	if (found === undefined) return { severity, code, message, line: 1, column: 1, endLine: 1, endColumn: 1 };
	const from = found.index + found[0].indexOf(key);
	return { severity, code, message, ...rangesIn(text)(from, from + key.length) };
}

const tooDeep: TextProblem = {
	severity: "error",
	code: "agent.depth",
	message: `The file is nested more than ${frontmatterLimits.depth} levels deep. An agent file needs two.`,
};

/** Level by level, since a nesting that is too deep is too deep for recursion too. */
function isDeeper(value: unknown, depth: number): boolean {
	let level: readonly unknown[] = [value];
	for (let at = 0; at <= depth; at++) {
		level = level.flatMap((inner) => (typeof inner === "object" && inner !== null ? Object.values(inner) : []));
		if (level.length === 0) return false;
	}
	return true;
}
