import type { AgentDialect } from "./agentDialect.ts";
import type { ForeignAgent } from "./foreignAgent.ts";
import type { ForeignFields } from "./foreignFields.ts";
import { readForeignMarkdown } from "./foreignMarkdown.ts";
import { readModel, readThinking } from "./foreignModel.ts";

const about = { id: "claude", title: "Claude Code" } as const;

/** Claude Code: `.claude/agents` and the folders in it. The name is in the file; where the file lies means nothing. */
export const claudeDialect: AgentDialect = {
	...about,
	depth: 4,
	folders: () => [".claude/agents"],
	matches: (name) => name.endsWith(".md"),
	read: (source, reading) =>
		readForeignMarkdown(source, reading, { dialect: about, withoutFrontmatter: "note", map: readClaudeAgent }),
};

export function readClaudeAgent(fields: ForeignFields, body: string): ForeignAgent {
	fields.inert("permissionMode", "your settings decide what agents may do.");
	fields.inert("hooks", "an agent file starts no programs.");
	const denied = fields.deniedTools("disallowedTools");
	const maxTurns = fields.count("maxTurns");
	const skills = fields.names("skills") ?? [];
	const color = fields.text("color");
	return {
		name: fields.text("name"),
		description: fields.text("description"),
		prompt: body,
		...fields.tools("tools"),
		...(denied.length > 0 && { disallowedTools: [...denied] }),
		...readModel(fields, "model"),
		...readThinking(fields, "effort"),
		...(maxTurns !== undefined && { maxTurns }),
		...(skills.length > 0 && { skills: [...skills] }),
		...readServerNames(fields),
		...(fields.data["isolation"] === "worktree" && { isolation: "worktree" }),
		...(color !== undefined && { color }),
		...(!fields.has("name") && { skipped: nameless }),
	};
}

/** Servers that are named are the user's own; one that the file itself describes would start what its author likes. */
function readServerNames(fields: ForeignFields): Pick<ForeignAgent, "mcpServers"> {
	const value = fields.data["mcpServers"];
	const servers: readonly unknown[] = Array.isArray(value) ? value : fields.has("mcpServers") ? [value] : [];
	const names = servers.filter((server) => typeof server === "string");
	if (names.length < servers.length) {
		fields.inert("mcpServers", "servers are set up in config.toml, and only named here.");
	}
	return names.length > 0 ? { mcpServers: names } : {};
}

const nameless = {
	code: "agent.note",
	message: "The file has no name, so Claude Code takes it for a note. It is not loaded.",
};
