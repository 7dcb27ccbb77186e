/** One test in a `when` clause: `viewItem =~ /^run/` has all three parts, `!isWorkspaceTrusted` only a key. */
export interface Condition {
	readonly key: string;
	readonly operator?: string | undefined;
	readonly value?: string | undefined;
}

const connective = String.raw`&&|\|\||[!()]`;
const operand = String.raw`\/(?:\\.|[^/\\])+\/\w*|'[^']*'|[\w.]+`;
const condition = String.raw`(?<key>[\w.]+)(?:\s*(?<operator>[=!]=|=~)\s*(?<value>${operand}))?`;

/** The conditions of a `when` clause, however they are connected. Throws on what it cannot read, so nothing is skipped. */
export function parseWhen(clause: string): Condition[] {
	const conditions: Condition[] = [];
	const token = new RegExp(`\\s*(?:${condition}|${connective})\\s*`, "y");
	while (token.lastIndex < clause.length) {
		const readTo = token.lastIndex;
		const match = token.exec(clause);
		if (!match) throw new Error(`"${clause}" cannot be read from "${clause.slice(readTo)}" on.`);
		const { key, operator, value } = match.groups ?? {};
		if (key !== undefined) conditions.push({ key, operator, value });
	}
	return conditions;
}
