import type { McpServer } from "./mcpServers.ts";

type Reached = Pick<McpServer, "fields">;

/** The command with its arguments, or the address, as a person is shown it. */
export function describeServer({ fields: { command, args = [], url = "" } }: Reached): string {
	return command === undefined ? url : [command, ...args].map((word) => quoteUnless(word, JSON.stringify)).join(" ");
}

/** The same to be pasted into a terminal, where no word of it may come to mean something else. */
export function commandForTerminal({ fields: { command, args = [], url = "" } }: Reached, isWindows: boolean): string {
	if (command === undefined) return url;
	const quote = isWindows ? quoteForWindows : quoteForShell;
	return [command, ...args].map((word) => quoteUnless(word, quote)).join(" ");
}

function quoteForShell(word: string): string {
	return `'${word.replaceAll("'", String.raw`'\''`)}'`;
}

/** Programs there take a backslash before a quote, also the last one, for its escape. */
function quoteForWindows(word: string): string {
	return `"${word.replaceAll(/\\*(?:"|$)/gu, (end) => end.replaceAll(/["\\]/gu, String.raw`\$&`))}"`;
}

function quoteUnless(word: string, quote: (word: string) => string): string {
	return /^[\w@%+=:,./-]+$/u.test(word) ? word : quote(word);
}
