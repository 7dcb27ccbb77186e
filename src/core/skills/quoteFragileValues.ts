import type { LocalEdit } from "../agents/agentProblem.ts";

/**
 * The edits that put quotes around values of the frontmatter which are plain text but do not look so to YAML:
 * `description: Use when: asked`, `argument-hint: [a] [b]`, `description: **Does** this`. Other clients accept these, so
 * there are many. For a text whose frontmatter is not valid without them; lines stay where they are.
 */
export function quoteFragileValues(text: string): readonly LocalEdit[] {
	const lines = text.split("\n");
	const end = lines.findIndex((line, index) => index > 0 && line.startsWith("---"));
	return lines.slice(0, Math.max(0, end)).flatMap((line, index) => {
		const [found, value = ""] = /^[\w-]+:[ \t]+(\S.*)$/u.exec(line.trimEnd()) ?? [];
		if (found === undefined || !isFragile(value) || !isNewEntry(lines[index + 1] ?? "")) return [];
		const at = { line: index + 1, endLine: index + 1 };
		const range = { ...at, column: found.length - value.length + 1, endColumn: found.length + 1 };
		return [{ range, newText: `'${value.replaceAll("'", "''")}'` }];
	});
}

/** Otherwise the value goes on there, and quotes at the end of its first line would cut it. */
function isNewEntry(line: string): boolean {
	return /^(?:[\w-]+:|---|#|\s*$)/u.test(line);
}

function isFragile(value: string): boolean {
	switch (value.charAt(0)) {
		case '"':
			return !/^"(?:[^"\\]|\\.)*"(?:\s+#.*)?$/u.test(value);
		case "'":
			return !/^'(?:[^']|'')*'(?:\s+#.*)?$/u.test(value);
		case "[":
		case "{":
			return !isOneCollection(value);
		case "*":
			return value.startsWith("**");
		case "@":
		case "`":
		case "%":
			return true;
		case "|":
		case ">":
		case "&":
		case "!":
		case "#":
			return false;
		default:
			return /:(?:\s|$)/u.test(value);
	}
}

/** Whether the bracket that it begins with is closed at its end. */
function isOneCollection(value: string): boolean {
	let depth = 0;
	let quote = "";
	for (let at = 0; at < value.length; at++) {
		const sign = value.charAt(at);
		if (quote !== "") {
			if (sign === quote) quote = "";
			else if (sign === "\\" && quote === '"') at++;
		} else if (sign === '"' || sign === "'") quote = sign;
		else if (sign === "[" || sign === "{") depth++;
		else if ((sign === "]" || sign === "}") && --depth === 0) return /^\s*(?:\s#.*)?$/u.test(value.slice(at + 1));
	}
	return false;
}
