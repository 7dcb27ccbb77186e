import type { TextProblem } from "../agentProblem.ts";
import { isRecord } from "../fieldProblem.ts";
import type { FrontmatterParser } from "../frontmatter.ts";
import { placeYamlProblem } from "../placeYamlProblem.ts";
import { prescanText } from "../prescan.ts";

export type LooseFrontmatter =
	| {
			readonly data: Readonly<Record<string, unknown>>;
			readonly body: string;
			/** Safe to be parsed; with more quotes than the file where it needed them, line by line the same. */
			readonly text: string;
	  }
	| { readonly problem: TextProblem };

/**
 * Reads frontmatter as the programs do that these files are for. What is not YAML because a value needs quotes, or because
 * a bracket closes too far left, is read as it was meant; everything that `prescan` guards against stays out.
 */
export async function readLooseFrontmatter(source: string, parse: FrontmatterParser): Promise<LooseFrontmatter> {
	const strict = await readStrictly(source, parse);
	if (!("problem" in strict) || !/^agent\.(?:yaml|alias)$/u.test(strict.problem.code)) return strict;
	return (await readQuoted(quoteLooseValues(source))) ?? strict;
}

async function readStrictly(source: string, parse: FrontmatterParser): Promise<LooseFrontmatter> {
	const scanned = prescanText(source);
	if (!scanned.isSafe) return { problem: scanned.problem };
	const { text } = scanned;
	const parsed = parse(text);
	if ("problem" in parsed) return { problem: await placeYamlProblem(parsed.problem, text) };
	const { data, body } = parsed;
	return isRecord(data) ? { data, body, text } : { problem: notEntries };
}

async function readQuoted(source: string): Promise<LooseFrontmatter | undefined> {
	const scanned = prescanText(source);
	if (!scanned.isSafe) return undefined;
	const { text } = scanned;
	const { parseDocument } = await import("yaml");
	const start = text.indexOf("\n") + 1;
	const end = text.indexOf("\n---", start - 1) + 1;
	const document = parseDocument(text.slice(start, end), {
		schema: "core",
		uniqueKeys: true,
		strict: true,
		logLevel: "silent",
	});
	if (document.errors.length > 0 || document.warnings.length > 0) return undefined;
	const data: unknown = document.toJS({ maxAliasCount: 0 });
	const body = text.slice(end).replace(/^---\r?\n?/u, "");
	return isRecord(data) ? { data, body, text } : undefined;
}

const notEntries: TextProblem = {
	severity: "error",
	code: "agent.frontmatter",
	message: "The frontmatter must be lines of the form `field: value`.",
	line: 1,
	column: 1,
	endLine: 1,
	endColumn: 4,
};

/**
 * Puts quotes around what can only be meant as text: a colon and a blank in it, or a sign of YAML at its beginning. Every
 * line stays where it is.
 */
function quoteLooseValues(text: string): string {
	const lines = text.split("\n");
	const end = lines.findIndex((line, index) => index > 0 && line.startsWith("---"));
	let at = 1;
	while (at < end) {
		const next = findNextEntry(lines, at, end);
		const entry = lines.slice(at, next).join("\n");
		const [, key = "", value = "", blank = ""] = /^([\w-]+:[ \t]+)(\S|\S.*\S)(\s*)$/su.exec(entry) ?? [];
		if (isLoose(value)) lines.splice(at, next - at, ...quote(key, value, blank).split("\n"));
		at = next;
	}
	return lines.join("\n");
}

function quote(key: string, value: string, blank: string): string {
	return `${key}'${value.replaceAll("'", "''")}'${blank}`;
}

/** An entry goes on as long as lines are indented or empty. */
function findNextEntry(lines: readonly string[], at: number, end: number): number {
	const next = lines.findIndex((line, index) => index > at && index < end && /^\S/u.test(line));
	return next < 0 ? end : next;
}

function isLoose(value: string): boolean {
	if (/^[*&!%@`]/u.test(value)) return true;
	if (/^(?:"(?:[^"\\]|\\.)*"|'(?:[^']|'')*')$/su.test(value)) return false;
	return /^["']/u.test(value) || (/^[^|>[{#]/u.test(value) && /:(?:\s|$)/u.test(value));
}
