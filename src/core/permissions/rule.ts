import { isAbsolute, join, relative, sep } from "node:path";
import picomatch from "picomatch";
import type { Problem } from "../base/errors.ts";
import { foldPath, isInside } from "../base/isInside.ts";
import { unofferedTools } from "../base/unofferedTools.ts";
import { parsePatternWords, quoteWord } from "./shellCommand.ts";

type Pattern =
	/** Every use of the tool. */
	| { readonly kind: "any" }
	| { readonly kind: "path"; readonly glob: string }
	/** `isOpen` when any further words may follow. */
	| { readonly kind: "command"; readonly words: readonly string[]; readonly isOpen: boolean }
	| { readonly kind: "host"; readonly host: string }
	| { readonly kind: "server"; readonly server: string };

/** One permission rule. Whether it allows, asks or denies is the list's business that it stands in. */
export interface Rule {
	/** As it was written. */
	readonly text: string;
	/** Where it was written, as the rest of "from", e.g. `your settings`. */
	readonly origin: string;
	/** The canonical name; `mcp` for a whole server. */
	readonly tool: string;
	readonly pattern: Pattern;
}

export interface RuleLists {
	readonly deny: readonly Rule[];
	readonly ask: readonly Rule[];
	readonly allow: readonly Rule[];
}

export type ParsedRule = { readonly ok: true; readonly rule: Rule } | { readonly ok: false; readonly problem: Problem };

export interface RuleContext {
	readonly origin: string;
	/** The one name of a tool, whatever it is called; an unknown name comes back as it is. */
	readonly canonicalName: (name: string) => string;
}

/** What a pattern in a tool's rule is about. */
const patternKinds: Readonly<Record<string, "path" | "command" | "host" | "none">> = {
	read_file: "path",
	list_dir: "path",
	glob: "path",
	grep: "path",
	attach_file: "path",
	diagnostics: "path",
	symbols: "path",
	write_file: "path",
	edit_file: "path",
	shell: "command",
	shell_start: "command",
	shell_status: "none",
	shell_kill: "none",
	web_fetch: "host",
	web_search: "none",
	todo: "none",
	skill: "none",
};
const sessionTool = /^(?:sessions_[a-z_]+|agents_list|spawn_agent)$/;
const mcpTool = /^mcp__[^_](?:.*[^_])?__.+$/;

/** Reads `tool` or `tool(pattern)`. What is wrong with a rule is said: one that is skipped silently protects nobody. */
export function parseRule(text: string, context: RuleContext): ParsedRule {
	const { origin, canonicalName } = context;
	const refuse = (detail: string): ParsedRule => ({
		ok: false,
		problem: {
			code: "permissions.badRule",
			message: `The rule ${JSON.stringify(text)} from ${origin} ${detail} It is not in force: correct or remove it.`,
		},
	});
	const parts = /^\s*([^\s()]+)\s*(?:\((.*)\))?\s*$/s.exec(text);
	if (parts === null) return refuse("is not of the form tool or tool(pattern).");
	const [, name = "", body] = parts;
	const give = (tool: string, pattern: Pattern): ParsedRule => ({ ok: true, rule: { text, origin, tool, pattern } });
	if (name === "mcp") {
		const server = body?.trim() ?? "";
		return server === "" ? refuse("names no server: write mcp(server).") : give("mcp", { kind: "server", server });
	}
	if (name.startsWith("mcp__")) {
		if (body !== undefined) return refuse("has a pattern, which rules for MCP tools cannot have.");
		if (!mcpTool.test(name) || name.endsWith("*")) return refuse("is not of the form mcp__server__tool.");
		return give(name, { kind: "any" });
	}
	const tool = canonicalName(name);
	const kind = Object.hasOwn(patternKinds, tool) ? patternKinds[tool] : undefined;
	if (kind === undefined && !sessionTool.test(tool) && !unofferedTools.has(tool)) {
		return refuse(`is for ${JSON.stringify(name)}, and there is no such tool.`);
	}
	if (body === undefined) return give(tool, { kind: "any" });
	const pattern = parsePattern(kind, body);
	return typeof pattern === "string" ? refuse(pattern) : give(tool, pattern);
}

/** The pattern, or what is wrong with it as the rest of a sentence about the rule. */
function parsePattern(kind: "path" | "command" | "host" | "none" | undefined, body: string): Pattern | string {
	if (body.trim() === "") return "has an empty pattern.";
	switch (kind) {
		case "path":
			return parsePathPattern(body);
		case "command":
			return parseCommandPattern(body.trim());
		case "host":
			return parseHostPattern(body.trim());
		default:
			return "has a pattern, which rules for this tool cannot have.";
	}
}

function parsePathPattern(body: string): Pattern | string {
	const glob = body.replace(/^\.\//, "");
	if (/\p{Cc}/u.test(glob)) return "has a control character in its pattern.";
	if (glob.startsWith("!")) return "begins with !, and patterns cannot be negated.";
	if (glob.split("/").includes("..")) return "has .. in its pattern: write the folder itself.";
	const bare = glob.replace(/\\./g, "_");
	if (bare.endsWith("\\")) return "has a pattern that ends in a backslash.";
	if (!hasWildcard(glob)) return { kind: "path", glob };
	// picomatch 4.0.7 never comes back from some of these.
	if (glob.includes("\\\\")) return "has a backslash as a name beside wildcards.";
	if (hasTooManyWildcards(bare)) return "has more wildcards than can be matched in time.";
	try {
		picomatch.makeRe(onlyWildcards(glob), globOptions);
	} catch {
		return "has a pattern that is no valid glob.";
	}
	return { kind: "path", glob };
}

function hasWildcard(glob: string): boolean {
	return /[*?[\]{}]/.test(glob.replace(/\\./gs, "_"));
}

/** Each further one multiplies the time for a name that does not match. */
function hasTooManyWildcards(glob: string): boolean {
	const names = glob.split("/");
	return (
		names.filter((name) => name.includes("**")).length > 3 || names.some((name) => (name.match(/\*/g) ?? []).length > 3)
	);
}

/** Without the regular expressions that picomatch also takes, and of which some keep it busy forever. */
function onlyWildcards(glob: string): string {
	return glob.replace(/\\.|\[[^\]]*\]|[()|+!@^$]/gs, (match) => {
		if (match.length === 1) return `\\${match}`;
		// `nonegate` would also make a negated set an ordinary one.
		return match.replace(/^\[!/, "[^");
	});
}

function parseCommandPattern(body: string): Pattern | string {
	// Quotes and backslashes end a word with something else, so that what is cut off here is unquoted.
	const head = body === "*" ? "" : body.replace(/(?:[ \t]+\*|:\*)$/, "");
	const isOpen = head !== body;
	if (head.trim() === "") return isOpen ? { kind: "command", words: [], isOpen } : "has an empty pattern.";
	const parsed = parsePatternWords(head);
	if (!parsed.ok) return `has a pattern that ${parsed.problem}.`;
	return { kind: "command", words: parsed.words, isOpen };
}

function parseHostPattern(body: string): Pattern | string {
	const host = body.replace(/^domain:/, "").toLowerCase();
	const url = URL.canParse(`https://${host}/`) ? new URL(`https://${host}/`) : undefined;
	return url !== undefined && url.host === host && !host.includes("*")
		? { kind: "host", host }
		: "has a pattern that is not one whole host name, such as example.org.";
}

const globOptions = {
	nonegate: true,
	noextglob: true,
	dot: true,
	strictBrackets: true,
	// As the file systems there compare names.
	nocase: process.platform === "darwin" || process.platform === "win32",
};

/** Tools whose rules hold for all that do the same to a file. */
const families: Readonly<Record<string, string>> = {
	read: "read_file",
	write: "edit_file",
	run: "shell",
	fetch: "web_fetch",
	search: "web_search",
};

/** Whether a rule is about this tool at all, given what its call does. */
export function isRuleFor(rule: Rule, tool: string, effectKind: string): boolean {
	if (rule.pattern.kind === "server") return tool.startsWith(`mcp__${rule.pattern.server}__`);
	return rule.tool === tool || rule.tool === families[effectKind];
}

/**
 * How a path rule matches a real path: as the very path, or as a glob. A pattern is relative to any of the workspace
 * folders, or absolute, or begins with `~/`.
 */
export function matchPath(
	rule: Rule,
	path: string,
	places: { readonly roots: readonly string[]; readonly homeDir: string },
): "exact" | "glob" | undefined {
	if (rule.pattern.kind === "any") return "glob";
	if (rule.pattern.kind !== "path") return undefined;
	const glob = rule.pattern.glob.startsWith("~/")
		? join(escapePath(places.homeDir), rule.pattern.glob.slice(2))
		: rule.pattern.glob;
	const candidates = isAbsolute(glob)
		? [path]
		: places.roots.filter((root) => isInside(root, path)).map((root) => relative(root, path));
	const names = candidates.map((candidate) => (sep === "\\" ? candidate.replaceAll("\\", "/") : candidate));
	const literal = [glob, glob.replace(/\\(.)/gs, "$1")].map(foldPath);
	if (names.some((name) => literal.includes(foldPath(name)))) return "exact";
	// A path without wildcards is equal or is not.
	if (!hasWildcard(glob)) return undefined;
	const isMatch = picomatch(onlyWildcards(oneForm(glob)), globOptions);
	return names.some((name) => (name === "" ? glob === "**" : isMatch(oneForm(name)))) ? "glob" : undefined;
}

/**
 * The same for a rule that denies or asks. Nobody sees in which of its two forms a letter with an accent is written, so
 * such a rule holds for both, also where they name two files.
 */
export function matchPathInAnyForm(rule: Rule, path: string, places: Parameters<typeof matchPath>[2]): boolean {
	if (matchPath(rule, path, places) !== undefined) return true;
	if (rule.pattern.kind !== "path") return false;
	const pattern = { kind: "path", glob: rule.pattern.glob.normalize("NFC") } as const;
	const roots = places.roots.map((root) => root.normalize("NFC"));
	const homeDir = places.homeDir.normalize("NFC");
	return matchPath({ ...rule, pattern }, path.normalize("NFC"), { roots, homeDir }) !== undefined;
}

/** macOS takes the two ways to write a letter with an accent for the same name; on Linux they are two files. */
function oneForm(text: string): string {
	return process.platform === "darwin" ? text.normalize("NFC") : text;
}

/** A path as a pattern that matches nothing else. */
export function escapePath(path: string): string {
	return path.replace(/[\\*?[\]{}()!+@|^$]/g, "\\$&");
}

/** How a shell rule matches the words of a command: to the word, with `*`, or as the bare tool. */
export function matchCommand(rule: Rule, argv: readonly string[]): "exact" | "open" | "any" | undefined {
	const { pattern } = rule;
	if (pattern.kind === "any") return "any";
	if (pattern.kind !== "command") return undefined;
	if (!pattern.words.every((word, n) => argv[n] === word)) return undefined;
	if (argv.length === pattern.words.length && !pattern.isOpen) return "exact";
	return pattern.isOpen ? "open" : undefined;
}

export function matchHost(rule: Rule, host: string): boolean {
	return rule.pattern.kind === "any" || (rule.pattern.kind === "host" && rule.pattern.host === host);
}

/** The rule that allows or denies exactly these words. */
export function ruleForWords(argv: readonly string[]): string {
	return `shell(${argv.map(quoteWord).join(" ")})`;
}
