import { forEachChild, parse, type Command, type ParsedScript, type SyntaxNode, type Word } from "unbash";

/** What a command line is, as far as rules can tell. */
export type ShellCommand =
	/** Nothing in it is expanded or redirected: bash runs exactly these programs with exactly these words. */
	| { readonly isPlain: true; readonly commands: readonly (readonly string[])[] }
	/** `why` is the rest of a sentence about the command; `anyCommands` also holds what is inside substitutions. */
	| { readonly isPlain: false; readonly why: string; readonly anyCommands: readonly (readonly string[])[] };

const maxPlainBytes = 4_096;
const maxPlainCommands = 20;
/** More is too long for an argument of bash, so it is not even parsed. */
export const maxCommandBytes = 131_071;

/** What stands for itself outside of quotes. Not `~`, which is a folder at the start of a word. */
const unquoted = /^[\w%+,./:=@^-]*$/;
/** Inside double quotes everything does, but for these. */
const activeInDoubleQuotes = /[\\$`]/;
/** What may stand between the words of a plain command; a comment, for one, is neither. */
const betweenWords = /^(?:[ \t;|]|&&)*$/;

/**
 * Judges a command line by bash's grammar. Plain is what is known to run as it reads, never a guess: a form that the
 * rules have not thought of is not plain.
 */
export function judgeShellCommand(text: string): ShellCommand {
	if (Buffer.byteLength(text) > maxCommandBytes) return { isPlain: false, why: "is too long", anyCommands: [] };
	let script: ParsedScript;
	try {
		script = parse(text);
	} catch {
		return { isPlain: false, why: "cannot be parsed", anyCommands: [] };
	}
	const notPlain = (why: string): ShellCommand => ({ isPlain: false, why, anyCommands: allCommands(script) });
	if (Buffer.byteLength(text) > maxPlainBytes) return notPlain(`is longer than ${maxPlainBytes} bytes`);
	if (!/^[\t\x20-\x7e]*$/.test(text)) return notPlain("contains a line break or a character beyond ASCII");
	if (script.errors !== undefined && script.errors.length > 0) return notPlain("is not complete or not correct");
	const found: Found = { commands: [], words: [] };
	const why = findWhyNotPlain(script, found);
	if (why !== undefined) return notPlain(why);
	if (found.commands.length === 0) return notPlain("is empty");
	if (found.commands.length > maxPlainCommands) return notPlain(`runs more than ${maxPlainCommands} commands`);
	if (!betweenWords.test(textBetween(text, found.words)))
		return notPlain("contains more than commands, ;, |, && and ||");
	return { isPlain: true, commands: found.commands };
}

export type PatternWords =
	| { readonly ok: true; readonly words: readonly string[] }
	/** The rest of a sentence about the pattern. */
	| { readonly ok: false; readonly problem: string };

/** The words of one command in a rule: as in a command line, except that wildcards mean themselves. */
export function parsePatternWords(text: string): PatternWords {
	const judged = judgeShellCommand(text.replace(/[*?[\]{}~]/g, "_"));
	if (!judged.isPlain) return { ok: false, problem: judged.why };
	if (judged.commands.length > 1) return { ok: false, problem: "holds several commands" };
	// A wildcard is one character that separates no words, so the words lie where those of the text without it do.
	const [command] = allCommands(parse(text));
	const [stand] = judged.commands;
	const isSame = command?.length === stand?.length && command?.every((word, n) => word.length === stand?.[n]?.length);
	return command !== undefined && isSame ? { ok: true, words: command } : { ok: false, problem: "cannot be parsed" };
}

/** A word as it is written in a rule, so that `parsePatternWords` gives it back and no wildcard is made of it. */
export function quoteWord(word: string): string {
	if (word !== "" && unquoted.test(word)) return word;
	return word
		.split(/(')/)
		.filter((piece) => piece !== "" || word === "")
		.map((piece) => (piece === "'" ? `"'"` : `'${piece}'`))
		.join("");
}

interface Found {
	readonly commands: string[][];
	readonly words: Word[];
}

function findWhyNotPlain(node: SyntaxNode, found: Found): string | undefined {
	switch (node.type) {
		case "Script":
			return firstProblem(node.commands, found);
		case "Statement":
			return node.background === true ? "runs in the background" : findWhyNotPlain(node.command, found);
		case "AndOr":
			return firstProblem(node.commands, found);
		case "Pipeline":
			if (node.prefixes.length > 0) return "is timed or negated";
			if (node.operators.includes("|&")) return "redirects";
			return firstProblem(node.commands, found);
		case "Command":
			return addCommand(node, found);
		default:
			return `contains a ${node.type}`;
	}
}

function firstProblem(nodes: readonly SyntaxNode[], found: Found): string | undefined {
	for (const node of nodes) {
		const problem = findWhyNotPlain(node, found);
		if (problem !== undefined) return problem;
	}
	return undefined;
}

function addCommand(command: Command, found: Found): string | undefined {
	if (command.redirects.length > 0) return "redirects";
	if (command.name === undefined || command.prefix.length > 0) return "sets a variable";
	const argv: string[] = [];
	for (const word of [command.name, ...command.args]) {
		if (word.type !== "Word") return "sets a variable";
		const value = plainValue(word);
		if (value === undefined) return `contains ${shown(word.text)}, which the shell may expand`;
		argv.push(value);
		found.words.push(word);
	}
	if (argv[0]?.includes("=") === true) return "sets a variable";
	found.commands.push(argv);
	return undefined;
}

function plainValue(word: Word): string | undefined {
	if (word.parts === undefined) return unquoted.test(word.text) ? word.text : undefined;
	let value = "";
	for (const part of word.parts) {
		if (part.type === "Literal" && unquoted.test(part.text)) value += part.text;
		else if (part.type === "SingleQuoted") value += part.text.slice(1, -1);
		else if (part.type === "DoubleQuoted" && !activeInDoubleQuotes.test(part.text)) value += part.text.slice(1, -1);
		else return undefined;
	}
	return value;
}

function textBetween(text: string, words: readonly Word[]): string {
	let rest = "";
	let position = 0;
	for (const word of words) {
		rest += `${text.slice(position, word.pos)} `;
		position = word.end;
	}
	return rest + text.slice(position);
}

function allCommands(script: ParsedScript): string[][] {
	const commands: string[][] = [];
	const visit = (node: SyntaxNode): void => {
		if (node.type === "Command" && node.name !== undefined) {
			commands.push([node.name, ...node.args].map((word) => (word.type === "Word" ? word.value : word.text)));
		}
		forEachChild(node, visit);
	};
	visit(script);
	return commands;
}

function shown(text: string): string {
	return JSON.stringify(text.length > 40 ? `${text.slice(0, 40)}…` : text);
}
