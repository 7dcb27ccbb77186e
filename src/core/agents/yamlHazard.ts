export interface YamlHazard {
	readonly kind: "depth" | "alias";
	/** From 1. */
	readonly line: number;
	/** From 1. */
	readonly column: number;
	/** For an alias, `&` or `*`. */
	readonly sign: string;
}

/**
 * Finds the first place where YAML nests too deeply, or where a node begins with `&` or `*`, without parsing it: one
 * pass, no recursion. Text in quotes, comments and block scalars is passed over. Where it can't tell, it reports: a
 * plain text that goes on in the next line with `*word` counts as an alias.
 */
export function findYamlHazard(yaml: string, maxDepth: number): YamlHazard | undefined {
	const scanner = new YamlScanner(maxDepth);
	for (const [index, line] of yaml.split(/\r\n|\n|\r/u).entries()) {
		const found = scanner.scan(line);
		if (found !== undefined) return { ...found, line: index + 1 };
	}
	return undefined;
}

type Found = Omit<YamlHazard, "line"> | undefined;

const isBlank = (sign: string): boolean => sign === "" || sign === " " || sign === "\t";

class YamlScanner {
	readonly #maxDepth: number;
	/** Where each open block collection is indented. */
	readonly #columns: number[] = [];
	#flowDepth = 0;
	/** What ends the quoted text that is being read; empty outside of one. */
	#quote = "";
	/** Lines indented more than this are text of a block scalar. */
	#textBeyond = Number.POSITIVE_INFINITY;
	#isNodeStart = true;

	constructor(maxDepth: number) {
		this.#maxDepth = maxDepth;
	}

	scan(line: string): Found {
		const indent = line.search(/[^ ]/u);
		if (indent < 0 || (this.#quote === "" && indent > this.#textBeyond)) return undefined;
		this.#textBeyond = Number.POSITIVE_INFINITY;
		if (this.#quote === "" && this.#flowDepth === 0) {
			this.#openColumn(indent);
			this.#isNodeStart = true;
		}
		return this.#scanFrom(line, indent);
	}

	#scanFrom(line: string, indent: number): Found {
		let parent = indent - 1;
		let nodeAt = indent;
		for (let at = indent; at < line.length; at++) {
			if (this.#columns.length + this.#flowDepth > this.#maxDepth) {
				return { kind: "depth", sign: "", column: at + 1 };
			}
			const sign = line.charAt(at);
			const isAlone = isBlank(line.charAt(at + 1));
			if (this.#quote !== "") {
				at += this.#readQuoted(sign, line.charAt(at + 1));
			} else if (sign === "#" && isBlank(line.charAt(at - 1))) {
				return undefined;
			} else if (sign === ":" && (isAlone || this.#flowDepth > 0)) {
				parent = nodeAt;
				this.#isNodeStart = true;
			} else if (!this.#isNodeStart) {
				if (this.#flowDepth > 0) this.#readFlow(sign);
			} else if ((sign === "&" || sign === "*") && !isAlone) {
				return { kind: "alias", sign, column: at + 1 };
			} else if ((sign === "|" || sign === ">") && this.#flowDepth === 0) {
				this.#textBeyond = parent;
				return undefined;
			} else if ((sign === "-" || sign === "?") && isAlone) {
				parent = at;
				if (this.#flowDepth === 0) this.#openColumn(at);
			} else if (sign === "!") {
				while (!isBlank(line.charAt(at + 1))) at++;
			} else if (!isBlank(sign)) {
				nodeAt = at;
				this.#beginNode(sign);
			}
		}
		return undefined;
	}

	/** A deeper column is one more level; a shallower one closes those beyond it. */
	#openColumn(column: number): void {
		while ((this.#columns.at(-1) ?? -1) >= column) this.#columns.pop();
		this.#columns.push(column);
	}

	#beginNode(sign: string): void {
		this.#isNodeStart = false;
		if (sign === '"' || sign === "'") this.#quote = sign;
		else if (this.#flowDepth > 0 || sign === "[" || sign === "{") this.#readFlow(sign);
	}

	#readFlow(sign: string): void {
		if (sign === "[" || sign === "{") this.#flowDepth++;
		else if (sign === "]" || sign === "}") this.#flowDepth--;
		if (sign === "[" || sign === "{" || sign === ",") this.#isNodeStart = true;
	}

	/** Returns how many further characters belong to the one just read. */
	#readQuoted(sign: string, next: string): number {
		if (sign === "\\" && this.#quote === '"') return 1;
		if (sign !== this.#quote) return 0;
		if (sign === "'" && next === "'") return 1;
		this.#quote = "";
		return 0;
	}
}
