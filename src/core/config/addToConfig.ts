import type { TextEdit, TextRange } from "../base/textEdit.ts";
import { snakeCase } from "./canonicalKeys.ts";
import type { PositionTree } from "./positionTree.ts";
import { fold } from "./secretOwner.ts";

/** A text of a configuration whose places are known. */
export interface ConfigSource {
	readonly file: string;
	readonly text: string;
}

/** Puts another key with a text in the place of a pair. */
export function replacePair(
	source: ConfigSource,
	node: PositionTree,
	key: string,
	value: string,
): TextEdit | undefined {
	if (node.pair === undefined) return undefined;
	const newText = prefixOf(source, node) + writePair(source, key, JSON.stringify(value));
	return { file: source.file, range: node.pair, newText };
}

/** Adds a name to a list of a table, which it may not have yet. Undefined where the text leaves no place for it. */
export function addListItem(
	source: ConfigSource,
	table: PositionTree,
	key: string,
	item: string,
): TextEdit | undefined {
	const list = findChild(table, key);
	if (list === undefined) return addPair(source, table, key, `[${JSON.stringify(item)}]`);
	const first = list.children.get(0)?.at;
	return first && insert(source, first, `${JSON.stringify(item)}, `);
}

/** Adds a text under a name to a table in a table, which may not be there yet. */
export function addMapEntry(
	source: ConfigSource,
	table: PositionTree,
	key: string,
	[name, value]: readonly [string, string],
): TextEdit | undefined {
	const map = findChild(table, key);
	const [quotedName, quotedValue] = [JSON.stringify(name), JSON.stringify(value)];
	if (map !== undefined) return addBefore(source, firstPair(map), `${quotedName}${sign(source)}${quotedValue}`);
	return addPair(source, table, key, `{ ${quotedName}${sign(source)}${quotedValue} }`);
}

/** The key of a table in whatever spelling. */
export function findChild(table: PositionTree, key: string): PositionTree | undefined {
	return [...table.children].find(([written]) => fold(String(written)) === fold(key))?.[1];
}

function addPair(source: ConfigSource, table: PositionTree, key: string, value: string): TextEdit | undefined {
	return addBefore(source, firstPair(table), writePair(source, key, value));
}

/** A pair whose table is exactly this one: a new one before it is in the same table. */
function firstPair(table: PositionTree): PositionTree | undefined {
	return [...table.children.values()].find(({ pair }) => pair !== undefined);
}

function addBefore(source: ConfigSource, sibling: PositionTree | undefined, written: string): TextEdit | undefined {
	if (sibling?.pair === undefined) return undefined;
	const indent = lineOf(source, sibling.pair).slice(0, sibling.pair.column - 1);
	const isOwnLine = indent.trim() === "";
	const lineEnd = source.text.includes("\r\n") ? "\r\n" : "\n";
	const separator = isOwnLine ? `${isJson(source) ? "," : ""}${lineEnd}${indent}` : ", ";
	return insert(source, sibling.pair, prefixOf(source, sibling) + written + separator);
}

function insert({ file }: ConfigSource, { line, column }: TextRange, newText: string): TextEdit {
	return { file, range: { line, column, endLine: line, endColumn: column }, newText };
}

/** Of a dotted key, all but the last part. */
function prefixOf(source: ConfigSource, { pair, at }: PositionTree): string {
	return pair && at ? lineOf(source, pair).slice(pair.column - 1, at.column - 1) : "";
}

function lineOf({ text }: ConfigSource, { line }: TextRange): string {
	return text.split("\n")[line - 1] ?? "";
}

function writePair(source: ConfigSource, key: string, value: string): string {
	return `${isJson(source) ? JSON.stringify(key) : snakeCase(key)}${sign(source)}${value}`;
}

function sign(source: ConfigSource): string {
	return isJson(source) ? ": " : " = ";
}

function isJson({ file }: ConfigSource): boolean {
	return !file.endsWith(".toml");
}
