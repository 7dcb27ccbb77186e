import type { TextRange } from "../base/textEdit.ts";
import { type Path, positionAt } from "./positionTree.ts";
import { locateToml } from "./tomlPositions.ts";

/** Far beyond what anybody writes; keeps the search from following a text that is nested without end. */
const deepest = 100;

/**
 * Where a key or an element of a list is written in a TOML text; the nearest parent of one that is not.
 * `["agents", "list", 1, "model"]` is the model in the second `[[agents.list]]`.
 */
export function locateTomlKey(text: string, path: Path): TextRange {
	const start = { line: 1, column: 1, endLine: 1, endColumn: 1 };
	return positionAt(locateToml(text, deepest).tree, path) ?? start;
}
