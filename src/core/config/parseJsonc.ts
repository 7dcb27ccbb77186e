import { messageOf } from "../base/errors.ts";
import { rangesIn, type TextRange } from "../base/textEdit.ts";
import type { PositionTree } from "./positionTree.ts";

export type ParsedJsonc =
	| { readonly value: unknown; readonly tree: PositionTree }
	| { readonly message: string; readonly at: TextRange };

/** Deep enough for settings of every kind, and shallow enough for the stack. */
const deepest = 100;

/**
 * Reads JSON as people write it in settings, with comments and trailing commas, and keeps where each part is written.
 * Never throws. A key that is written twice counts once, as the last.
 */
export function parseJsonc(text: string): ParsedJsonc {
	const reader = new JsoncReader(text);
	try {
		return reader.readDocument();
	} catch (error) {
		if (!(error instanceof SyntaxError)) throw error;
		return { message: messageOf(error), at: reader.position };
	}
}

class JsoncReader {
	readonly #text: string;
	readonly #locate: (start: number, end: number) => TextRange;
	#at = 0;

	constructor(text: string) {
		this.#text = text;
		this.#locate = rangesIn(text);
	}

	get position(): TextRange {
		return this.#locate(this.#at, this.#at + 1);
	}

	readDocument(): { value: unknown; tree: PositionTree } {
		this.#skipBlanks();
		const document = this.#read("", this.position, 0);
		this.#skipBlanks();
		if (this.#at < this.#text.length) throw new SyntaxError("something follows the end of the value");
		return document;
	}

	#read(written: string | number, at: TextRange, depth: number): { value: unknown; tree: PositionTree } {
		const children = new Map<string | number, PositionTree>();
		if (depth > deepest) throw new SyntaxError(`it is nested more than ${deepest} levels deep`);
		const first = this.#text.charAt(this.#at);
		let value: unknown;
		if (first === "{") value = this.#readObject(children, depth);
		else if (first === "[") value = this.#readArray(children, depth);
		else value = this.#readScalar();
		return { value, tree: { written, at, children } };
	}

	#readObject(children: Map<string | number, PositionTree>, depth: number): unknown {
		const entries: [string, unknown][] = [];
		this.#readItems("}", () => {
			const start = this.#at;
			const key = this.#readScalar();
			if (typeof key !== "string") throw new SyntaxError("a key in double quotes is expected");
			const at = this.#locate(start, this.#at);
			this.#skipBlanks();
			if (!this.#skip(":")) throw new SyntaxError("a colon is expected");
			this.#skipBlanks();
			const { value, tree } = this.#read(key, at, depth + 1);
			entries.push([key, value]);
			children.set(key, { ...tree, pair: this.#locate(start, this.#at) });
		});
		return Object.fromEntries(entries);
	}

	#readArray(children: Map<string | number, PositionTree>, depth: number): unknown[] {
		const items: unknown[] = [];
		this.#readItems("]", () => {
			const start = this.#at;
			const index = items.length;
			const { value, tree } = this.#read(index, this.position, depth + 1);
			items.push(value);
			children.set(index, { ...tree, at: this.#locate(start, this.#at) });
		});
		return items;
	}

	#readItems(end: string, readItem: () => void): void {
		this.#at++;
		for (this.#skipBlanks(); !this.#skip(end); this.#skipBlanks()) {
			readItem();
			this.#skipBlanks();
			if (!this.#skip(",") && this.#text.charAt(this.#at) !== end) {
				throw new SyntaxError(`a comma or "${end}" is expected`);
			}
		}
	}

	#readScalar(): unknown {
		const end = this.#text.charAt(this.#at) === '"' ? this.#endOfString() : this.#endOfWord();
		const value = parseToken(this.#text.slice(this.#at, end));
		this.#at = end;
		return value;
	}

	#endOfString(): number {
		let at = this.#at + 1;
		while (at < this.#text.length && this.#text.charAt(at) !== '"') at += this.#text.charAt(at) === "\\" ? 2 : 1;
		return at + 1;
	}

	#endOfWord(): number {
		let at = this.#at;
		while (/[\w+.-]/u.test(this.#text.charAt(at))) at++;
		return at;
	}

	#skip(sign: string): boolean {
		if (!this.#text.startsWith(sign, this.#at)) return false;
		this.#at += sign.length;
		return true;
	}

	#skipBlanks(): void {
		for (;;) {
			const sign = this.#text.charAt(this.#at);
			if (this.#text.startsWith("//", this.#at)) this.#skipBehind("\n");
			else if (this.#text.startsWith("/*", this.#at)) this.#skipBehind("*/");
			else if (sign !== "" && " \t\r\n".includes(sign)) this.#at++;
			else return;
		}
	}

	/** From the two signs that begin a comment to behind its end. */
	#skipBehind(end: string): void {
		const at = this.#text.indexOf(end, this.#at + 2);
		this.#at = at < 0 ? this.#text.length : at + end.length;
	}
}

/** The engine quotes what it can't read, which may be a secret; so its words are not passed on. */
function parseToken(token: string): unknown {
	try {
		return JSON.parse(token);
	} catch (error) {
		throw new SyntaxError("a value is expected: text in double quotes, a number, true, false or null", {
			cause: error,
		});
	}
}
