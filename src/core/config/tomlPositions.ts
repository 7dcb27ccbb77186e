import { rangesIn, type TextRange } from "../base/textEdit.ts";
import type { PositionTree } from "./positionTree.ts";
import { endOfTomlString, readTomlString } from "./tomlString.ts";

export interface TomlPositions {
	readonly tree: PositionTree;
	/** Where the text is nested too deep; nothing behind it was looked at. */
	readonly tooDeep?: TextRange;
}

interface Node extends PositionTree {
	at: TextRange;
	pair?: TextRange;
	readonly children: Map<string | number, Node>;
	/** Grows by `[[header]]`; keys go to its last element. */
	isTableArray?: true;
}

interface Table {
	readonly node: Node;
	readonly depth: number;
}

interface Key {
	readonly name: string;
	readonly start: number;
	readonly end: number;
}

/**
 * Finds where every key and every element of a TOML text is written: headers, arrays of tables, dotted, quoted and inline
 * keys. The parser behind it gives positions only for what it can't read.
 *
 * Guarantees: never throws and takes linear time, whatever the text; exact for valid TOML; visits nothing deeper than
 * `maxDepth`. Leaves to the parser whether the text is valid: in one that is not, positions end at the first mistake.
 */
export function locateToml(text: string, maxDepth: number): TomlPositions {
	return new TomlScanner(text, maxDepth).scan();
}

class TomlScanner {
	readonly #text: string;
	readonly #maxDepth: number;
	readonly #locate: (start: number, end: number) => TextRange;
	#at = 0;
	#tooDeep: TextRange | undefined;

	constructor(text: string, maxDepth: number) {
		this.#text = text;
		this.#maxDepth = maxDepth;
		this.#locate = rangesIn(text);
	}

	scan(): TomlPositions {
		const tree: Node = { written: "", at: this.#locate(0, 0), children: new Map() };
		let table: Table | undefined = { node: tree, depth: 0 };
		for (this.#skipBlanks(); this.#at < this.#text.length; this.#skipBlanks()) {
			if (this.#peek() === "[") table = this.#readHeader(tree);
			else if (!this.#readPair(table.node, table.depth)) break;
			if (table === undefined) break;
		}
		return { tree, ...(this.#tooDeep && { tooDeep: this.#tooDeep }) };
	}

	#readHeader(root: Node): Table | undefined {
		const isArray = this.#text.startsWith("[[", this.#at);
		this.#at += isArray ? 2 : 1;
		const keys = this.#readKeys(0);
		const last = keys?.at(-1);
		if (keys === undefined || last === undefined || !this.#skip(isArray ? "]]" : "]")) return undefined;
		let table: Table = { node: root, depth: 0 };
		for (const key of keys.slice(0, -1)) table = toLastElement(this.#child(table.node, key), table.depth + 1);
		const node = this.#child(table.node, last);
		const at = this.#locate(last.start, last.end);
		if (isArray) {
			node.isTableArray = true;
			node.children.set(node.children.size, { written: node.children.size, at, children: new Map() });
		} else {
			node.at = at;
		}
		return toLastElement(node, table.depth + 1);
	}

	/** `key = value`. False when there is none, or none that may be visited. */
	#readPair(table: Node, depth: number): boolean {
		const keys = this.#readKeys(depth);
		if (keys === undefined || !this.#skip("=")) return false;
		this.#skipSpaces();
		const node = keys.reduce((parent, key) => this.#child(parent, key), table);
		const isRead = this.#readValue(node, depth + keys.length);
		node.pair = this.#locateTrimmed(keys[0]?.start ?? this.#at);
		return isRead;
	}

	#readValue(node: Node, depth: number): boolean {
		const first = this.#peek();
		if (first === "[") return this.#readArray(node, depth);
		if (first === "{") return this.#readInlineTable(node, depth);
		if (first === '"' || first === "'") {
			this.#at = endOfTomlString(this.#text, this.#at);
			return true;
		}
		const end = /[,\]}#\n]/gu;
		end.lastIndex = this.#at;
		this.#at = end.exec(this.#text)?.index ?? this.#text.length;
		return true;
	}

	#readArray(node: Node, depth: number): boolean {
		this.#at++;
		for (this.#skipBlanks(); !this.#skip("]"); this.#skipBlanks()) {
			const start = this.#at;
			if (start >= this.#text.length || this.#isTooDeep(depth + 1, start)) return false;
			const element: Node = { written: node.children.size, at: this.#locate(start, start), children: new Map() };
			node.children.set(node.children.size, element);
			if (!this.#readValue(element, depth + 1)) return false;
			element.at = this.#locateTrimmed(start);
			this.#skipBlanks();
			if (!this.#skip(",") && this.#peek() !== "]") return false;
		}
		return true;
	}

	#readInlineTable(node: Node, depth: number): boolean {
		this.#at++;
		for (this.#skipBlanks(); !this.#skip("}"); this.#skipBlanks()) {
			if (!this.#readPair(node, depth)) return false;
			this.#skipBlanks();
			if (!this.#skip(",") && this.#peek() !== "}") return false;
		}
		return true;
	}

	/** One or more keys with dots between them; `undefined` when something else is there. */
	#readKeys(depth: number): readonly Key[] | undefined {
		const keys: Key[] = [];
		do {
			this.#skipSpaces();
			if (this.#isTooDeep(depth + keys.length + 1, this.#at)) return undefined;
			const key = this.#readKey();
			if (key === undefined) return undefined;
			keys.push(key);
			this.#skipSpaces();
		} while (this.#skip("."));
		return keys;
	}

	#readKey(): Key | undefined {
		const start = this.#at;
		const first = this.#peek();
		if (first === '"' || first === "'") {
			this.#at = endOfTomlString(this.#text, start);
			return { name: readTomlString(this.#text.slice(start, this.#at)), start, end: this.#at };
		}
		const bare = /[\w-]+/uy;
		bare.lastIndex = start;
		const name = bare.exec(this.#text)?.[0];
		if (name === undefined) return undefined;
		this.#at += name.length;
		return { name, start, end: this.#at };
	}

	#child(parent: Node, key: Key): Node {
		const known = parent.children.get(key.name);
		if (known) return known;
		const child: Node = { written: key.name, at: this.#locate(key.start, key.end), children: new Map() };
		parent.children.set(key.name, child);
		return child;
	}

	/** From `start` to here, without the blanks at the end. */
	#locateTrimmed(start: number): TextRange {
		return this.#locate(start, start + this.#text.slice(start, this.#at).trimEnd().length);
	}

	#isTooDeep(depth: number, at: number): boolean {
		if (depth <= this.#maxDepth) return false;
		this.#tooDeep ??= this.#locate(at, at + 1);
		return true;
	}

	#peek(): string {
		return this.#text.charAt(this.#at);
	}

	#skip(sign: string): boolean {
		if (!this.#text.startsWith(sign, this.#at)) return false;
		this.#at += sign.length;
		return true;
	}

	#skipSpaces(): void {
		while (this.#peek() === " " || this.#peek() === "\t") this.#at++;
	}

	/** Spaces, line ends and comments. */
	#skipBlanks(): void {
		for (;;) {
			const sign = this.#peek();
			if (sign === "#") this.#skipComment();
			else if (sign !== "" && " \t\r\n".includes(sign)) this.#at++;
			else return;
		}
	}

	#skipComment(): void {
		const end = this.#text.indexOf("\n", this.#at);
		this.#at = end < 0 ? this.#text.length : end;
	}
}

function toLastElement(node: Node, depth: number): Table {
	const last = node.isTableArray && node.children.get(node.children.size - 1);
	return last ? { node: last, depth: depth + 1 } : { node, depth };
}
