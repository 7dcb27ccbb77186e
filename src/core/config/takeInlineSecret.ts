import type { TextEdit, TextRange } from "../base/textEdit.ts";
import { readJson, readToml } from "./configText.ts";
import type { Path, PositionTree } from "./positionTree.ts";
import { isTable } from "./withholdSecrets.ts";

export interface TakenSecret {
	readonly secret: string;
	/** Takes the secret out of the file, with its key. */
	readonly edit: TextEdit;
}

/**
 * The secret at a path of a configuration file, and the edit that removes it: what *Move to Secret Storage* needs.
 * `undefined` when there is no text at that path any more, or none that can be taken out without breaking the rest.
 */
export async function takeInlineSecret(file: string, text: string, path: Path): Promise<TakenSecret | undefined> {
	const read = file.endsWith(".toml") ? await readToml(text) : readJson(text);
	if ("problem" in read) return undefined;
	const secret = path.reduce<unknown>((value, step) => (isTable(value) ? value[step] : undefined), read.value);
	const node = path.reduce<PositionTree | undefined>((tree, step) => tree?.children.get(step), read.tree);
	if (typeof secret !== "string" || node?.pair === undefined) return undefined;
	return { secret, edit: { file, range: withSeparator(text, node.pair), newText: "" } };
}

/** A pair with what separates it from the others: its comma, or its line where it is alone there. */
function withSeparator(text: string, pair: TextRange): TextRange {
	const lines = text.split("\n");
	const before = (lines[pair.line - 1] ?? "").slice(0, pair.column - 1);
	const after = (lines[pair.endLine - 1] ?? "").slice(pair.endColumn - 1);
	const comma = /^\s*,\s*/u.exec(after)?.[0].length ?? 0;
	if (before.trim() === "" && /^\s*,?\s*(?:#.*|\/\/.*)?$/u.test(after)) {
		const previous = (lines[pair.line - 2] ?? "").trimEnd();
		// The last of several in JSON: the comma before it goes along, and the line break after it stays.
		return comma === 0 && previous.endsWith(",")
			? { ...pair, line: pair.line - 1, column: previous.length }
			: { line: pair.line, column: 1, endLine: pair.endLine + 1, endColumn: 1 };
	}
	if (comma > 0) return { ...pair, endColumn: pair.endColumn + comma };
	const separator = /,\s*$/u.exec(before)?.[0].length ?? 0;
	return { ...pair, column: pair.column - separator };
}
