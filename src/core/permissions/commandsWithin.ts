import { isWrapper, programName } from "./dangerTable.ts";
import { judgeShellCommand } from "./shellCommand.ts";

const maxDepth = 3;
const shells: ReadonlySet<string> = new Set(["bash", "sh", "dash", "zsh", "ksh", "eval"]);

/**
 * A command, and every command that it plainly runs in turn: without the folder of its program, behind `sudo` and the
 * like, in the text of `bash -c`. For rules that ask or deny, where one too many is the safe mistake.
 */
export function commandsWithin(argv: readonly string[], depth = 0): readonly (readonly string[])[] {
	const [first = "", ...rest] = argv;
	const program = programName(first);
	const found: (readonly string[])[] = [argv];
	if (program !== first) found.push([program, ...rest]);
	if (depth >= maxDepth) return found;
	if (isWrapper(first)) {
		for (let n = 0; n < rest.length; n++) found.push(...commandsWithin(rest.slice(n), maxDepth));
	}
	if (shells.has(program)) {
		for (const word of [...rest, rest.join(" ")]) {
			const judged = judgeShellCommand(word);
			const inner = judged.isPlain ? judged.commands : judged.anyCommands;
			found.push(...inner.flatMap((command) => commandsWithin(command, depth + 1)));
		}
	}
	return found;
}
