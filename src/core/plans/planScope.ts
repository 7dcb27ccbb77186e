import { lexer, type Token, type Tokens } from "marked";

/** What an approved plan may do unasked. */
export interface PlanScope {
	/** Paths and globs, from the workspace folder on; undefined where the plan has no such section. */
	readonly files?: readonly string[];
	/** Literal commands; undefined where the plan has no such section. */
	readonly commands?: readonly string[];
	/** What stands in a section and is no entry, for people: it gives nothing. */
	readonly problems: readonly string[];
}

type Section = "files" | "commands";

const sections: Readonly<Record<string, Section>> = { files: "files", commands: "commands" };
const titles: Readonly<Record<Section, string>> = { files: "Files", commands: "Commands" };

/**
 * Reads the sections `## Files` and `## Commands`: list items with exactly one code span. By the Markdown lexer's top level,
 * never by lines: what stands in a fence, a quote or a comment is no section.
 */
export function readPlanScope(text: string): PlanScope {
	const found: Partial<Record<Section, string[]>> = {};
	const problems: string[] = [];
	let section: Section | undefined;
	for (const token of lexer(text.replaceAll("\r\n", "\n"))) {
		if (token.type === "heading") {
			section = sectionOf(token as Tokens.Heading, section);
			if (section !== undefined) found[section] ??= [];
		} else if (section !== undefined && token.type !== "space") {
			if (token.type === "list") readList(token as Tokens.List, section, found[section] ?? [], problems);
			else problems.push(`“${shorten(token.raw)}” in ${titles[section]} is no list of code spans: it allows nothing.`);
		}
	}
	return { ...found, problems };
}

function sectionOf({ depth, text }: Tokens.Heading, current: Section | undefined): Section | undefined {
	if (depth > 2) return current;
	const name = text.trim().toLowerCase();
	return depth === 2 && Object.hasOwn(sections, name) ? sections[name] : undefined;
}

function readList(list: Tokens.List, section: Section, into: string[], problems: string[]): void {
	for (const item of list.items) {
		const entry = readItem(item);
		const problem = entry === undefined ? "is not one code span" : findProblem(entry, section);
		if (entry !== undefined && problem === undefined) into.push(entry);
		else problems.push(`“${shorten(item.raw)}” in ${titles[section]} ${problem}: it allows nothing.`);
	}
}

/** The only code span of an item; words around it are for people. */
function readItem({ tokens }: Tokens.ListItem): string | undefined {
	const [only, ...more] = tokens.flatMap(spansOf);
	const isPlain = tokens.every(({ type }) => type === "text" || type === "paragraph");
	return only !== undefined && more.length === 0 && isPlain ? only.trim() : undefined;
}

function spansOf(token: Token): string[] {
	if (token.type === "codespan") return [String(token.text)];
	return "tokens" in token && token.tokens ? token.tokens.flatMap(spansOf) : [];
}

function findProblem(entry: string, section: Section): string | undefined {
	if (entry === "") return "is empty";
	if (/[\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}]/u.test(entry)) return "has hidden characters";
	if (section === "commands") return /^[\x20-\x7E]+$/u.test(entry) ? undefined : "has characters that are not ASCII";
	if (/^[/~]/u.test(entry) || entry.split("/").includes("..")) return "leaves the workspace";
	if (/^!|[!?*+@]\(/u.test(entry)) return "is negated or an extended pattern";
	return entry.endsWith("/") ? "is a folder: name its files" : undefined;
}

function shorten(text: string): string {
	const line = text.trim().replaceAll(/\s+/gu, " ");
	return line.length > 60 ? `${line.slice(0, 59)}…` : line;
}

/** E.g. `edits 3 files, runs 2 commands`. */
export function describeScope({ files, commands }: PlanScope): string {
	if (files === undefined && commands === undefined) return "lists no files or commands: everything is asked as usual";
	const count = (things: readonly string[], one: string) => `${things.length} ${one}${things.length === 1 ? "" : "s"}`;
	return `edits ${count(files ?? [], "file")}, runs ${count(commands ?? [], "command")}`;
}
