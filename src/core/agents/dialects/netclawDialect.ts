import type { AgentDialect } from "./agentDialect.ts";
import type { ForeignAgent } from "./foreignAgent.ts";
import type { ForeignFields } from "./foreignFields.ts";
import { readForeignMarkdown } from "./foreignMarkdown.ts";

const about = { id: "netclaw", title: "Netclaw" } as const;

/** Netclaw: `.netclaw/agents/*.md`, the format that ours comes from. */
export const netclawDialect: AgentDialect = {
	...about,
	depth: 0,
	folders: () => [".netclaw/agents"],
	matches: (name) => name.endsWith(".md"),
	read: (source, reading) =>
		readForeignMarkdown(source, reading, { dialect: about, withoutFrontmatter: "note", map: readNetclawAgent }),
};

function readNetclawAgent(fields: ForeignFields, body: string): ForeignAgent {
	const modelRole = readOneOf(fields, "modelRole", ["Main", "Compaction"]);
	const visibility = readOneOf(fields, "visibility", ["user-facing", "internal"] as const);
	const timeoutSeconds = fields.seconds("timeoutSeconds");
	const emitStructuredFindings = fields.flag("emitStructuredFindings");
	return {
		name: fields.text("name"),
		description: fields.text("description"),
		prompt: body,
		...fields.tools("tools"),
		...(modelRole !== undefined && { modelRole }),
		...(visibility !== undefined && { visibility }),
		...(timeoutSeconds !== undefined && { timeoutSeconds }),
		...(emitStructuredFindings !== undefined && { emitStructuredFindings }),
	};
}

/** Netclaw does not mind capitals and hyphens; a word that is none of these keeps the file out, there and here. */
function readOneOf<const Value extends string>(
	fields: ForeignFields,
	key: string,
	values: readonly Value[],
): Value | undefined {
	const written = fields.text(key);
	if (written === undefined) return undefined;
	const fold = (text: string) => text.toLowerCase().replaceAll("-", "");
	const value = values.find((candidate) => fold(candidate) === fold(written));
	if (value === undefined) {
		const message = `"${key}" must be ${values.join(" or ")}; it is ${JSON.stringify(written)}.`;
		fields.refuse("agent.field", key, message);
	}
	return value;
}
