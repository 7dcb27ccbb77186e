import { ruleForWords } from "../permissions/rule.ts";
import { judgeShellCommand } from "../permissions/shellCommand.ts";

/** How the rules that come from a plan are named wherever one is the reason. */
export const planOrigin = "the approved plan";

/** What an entry of `## Files` lets its run do. */
export function ruleForFile(file: string): string {
	return `edit_file(${file})`;
}

/** The same words, however they are quoted. What is not plain passes only to the byte, and has no rule. */
export function ruleForCommand(command: string): string | undefined {
	const judged = judgeShellCommand(command);
	const [only, ...more] = judged.isPlain ? judged.commands : [];
	return only !== undefined && more.length === 0 ? ruleForWords(only) : undefined;
}
