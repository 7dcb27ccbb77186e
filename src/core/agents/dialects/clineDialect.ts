import type { AgentDialect } from "./agentDialect.ts";
import type { ForeignAgent } from "./foreignAgent.ts";
import type { ForeignFields } from "./foreignFields.ts";
import { readForeignMarkdown } from "./foreignMarkdown.ts";
import { readModel, toModelReference } from "./foreignModel.ts";

const about = { id: "cline", title: "Cline" } as const;

/** Cline: `.cline/agents/*.yaml`, which are frontmatter and a prompt like all the others; some programs write `.md`. */
export const clineDialect: AgentDialect = {
	...about,
	depth: 0,
	folders: () => [".cline/agents"],
	matches: (name) => /\.(?:ya?ml|md)$/u.test(name),
	read: (source, reading) =>
		readForeignMarkdown(source, reading, { dialect: about, withoutFrontmatter: "note", map: readClineAgent }),
};

function readClineAgent(fields: ForeignFields, body: string): ForeignAgent {
	const provider = fields.text("providerId");
	const maxTurns = fields.count("maxIterations");
	const skills = fields.names("skills") ?? [];
	return {
		name: fields.text("name"),
		description: fields.text("description"),
		prompt: body,
		...fields.tools("tools"),
		...readModel(fields, "modelId", (name) =>
			provider === undefined || name.startsWith(`${provider}/`) ? toModelReference(name) : `${provider}/${name}`,
		),
		...(maxTurns !== undefined && { maxTurns }),
		...(skills.length > 0 && { skills: [...skills] }),
	};
}
