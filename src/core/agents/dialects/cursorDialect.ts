import type { AgentDialect } from "./agentDialect.ts";
import { changingTools, type ForeignAgent } from "./foreignAgent.ts";
import type { ForeignFields } from "./foreignFields.ts";
import { readForeignMarkdown } from "./foreignMarkdown.ts";
import { readModel } from "./foreignModel.ts";

const about = { id: "cursor", title: "Cursor" } as const;

/** Cursor: `.cursor/agents/*.md`. It has no list of tools, but authors who come from elsewhere write one. */
export const cursorDialect: AgentDialect = {
	...about,
	depth: 0,
	folders: () => [".cursor/agents"],
	matches: (name) => name.endsWith(".md"),
	read: (source, reading) =>
		readForeignMarkdown(source, reading, { dialect: about, withoutFrontmatter: "note", map: readCursorAgent }),
};

function readCursorAgent(fields: ForeignFields, body: string): ForeignAgent {
	return {
		name: fields.text("name"),
		description: fields.text("description"),
		prompt: body,
		...fields.tools("tools"),
		...(fields.flag("readonly") === true && { disallowedTools: [...changingTools] }),
		...readModel(fields, "model"),
	};
}
