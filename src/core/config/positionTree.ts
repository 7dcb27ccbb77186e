import type { TextRange } from "../base/textEdit.ts";

export type Path = readonly (string | number)[];

/** The positions of a value's parts, in the shape of the value. */
export interface PositionTree {
	/** The key as its author spelled it; the index of a list's element. */
	readonly written: string | number;
	/** Where the key or the element is. Absent in a value that was not read from a text. */
	readonly at?: TextRange;
	/** Of a key with its value, both; absent for tables with a header. */
	readonly pair?: TextRange;
	readonly children: ReadonlyMap<string | number, PositionTree>;
}

/** For values without a text. */
export const noPositions: PositionTree = { written: "", children: new Map() };

/** Where the part is; what is not written anywhere, such as a missing key, is where its nearest parent is. */
export function positionAt(tree: PositionTree, path: Path): TextRange | undefined {
	let node: PositionTree | undefined = tree;
	let at = tree.at;
	for (const step of path) {
		node = node.children.get(step);
		if (node === undefined) break;
		at = node.at ?? at;
	}
	return at;
}

/** The path in its author's spelling. */
export function writtenSteps(tree: PositionTree, path: Path): Path {
	let node: PositionTree | undefined = tree;
	return path.map((step) => {
		node = node?.children.get(step);
		return node?.written ?? step;
	});
}

/** The same as people read it: `mcp_servers.context7.args[0]`. */
export function writtenPath(tree: PositionTree, path: Path): string {
	return writtenSteps(tree, path)
		.map((step) => (typeof step === "number" ? `[${step}]` : `.${quoteKey(step)}`))
		.join("")
		.replace(/^\./u, "");
}

function quoteKey(key: string): string {
	return /^[\w-]+$/u.test(key) ? key : JSON.stringify(key.length > 60 ? `${key.slice(0, 60)}…` : key);
}
