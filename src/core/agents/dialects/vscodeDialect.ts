import type { AgentDialect } from "./agentDialect.ts";
import type { ForeignAgent } from "./foreignAgent.ts";
import type { ForeignFields } from "./foreignFields.ts";
import { readForeignMarkdown } from "./foreignMarkdown.ts";
import { readModel, readThinking, toModelReference } from "./foreignModel.ts";
import type { ToolTable } from "./foreignTools.ts";

const about = { id: "vscode", title: "VS Code" } as const;

/** VS Code's aliases stand for whole groups of tools. */
const groups: ToolTable = {
	agent: ["sessions_spawn"],
	edit: ["edit_file", "write_file"],
	execute: ["shell", "shell_start", "shell_status", "shell_kill"],
	read: ["read_file", "diagnostics"],
	shell: ["shell", "shell_start", "shell_status", "shell_kill"],
};

/** VS Code and Copilot: `.github/agents/*.agent.md`. */
export const vscodeDialect: AgentDialect = {
	...about,
	depth: 0,
	folders: (layer) => (layer === "home" ? [".github/agents", ".copilot/agents"] : [".github/agents"]),
	matches: (name) => name.endsWith(".agent.md"),
	read: (source, reading) =>
		readForeignMarkdown(source, reading, { dialect: about, withoutFrontmatter: "agent", map: readVscodeAgent }),
};

function readVscodeAgent(fields: ForeignFields, body: string): ForeignAgent {
	fields.inert("hooks", "an agent file starts no programs.");
	fields.inert("mcp-servers", "servers are set up in config.toml.");
	const isForPeopleOnly = fields.flag("disable-model-invocation") ?? fields.flag("infer") === false;
	const isForModelsOnly = fields.flag("user-invocable") === false;
	return {
		name: fields.text("name"),
		description: fields.text("description"),
		prompt: body,
		...fields.tools("tools", groups),
		...readFirstModel(fields),
		...readThinking(fields, "reasoning-effort"),
		...(isForPeopleOnly && isForModelsOnly && { visibility: "internal" }),
		...(isForPeopleOnly && !isForModelsOnly && { isForPeopleOnly: true }),
	};
}

/** One model, or several of which VS Code takes the first that it has. */
function readFirstModel(fields: ForeignFields): Pick<ForeignAgent, "model"> {
	const value = fields.data["model"];
	if (!Array.isArray(value)) return readModel(fields, "model", toVscodeReference);
	const [first] = value.filter((name) => typeof name === "string");
	const model = first === undefined ? undefined : toVscodeReference(first);
	return model === undefined ? {} : { model };
}

/** `Claude Sonnet 4.5 (copilot)` is what people see; its id is the same in small letters, with hyphens. */
function toVscodeReference(name: string): ForeignAgent["model"] {
	if (name.includes("/")) return toModelReference(name);
	const id = name
		.replace(/\s*\([^)]*\)\s*$/u, "")
		.trim()
		.toLowerCase()
		.replaceAll(/\s+/gu, "-");
	return /^[a-z0-9][a-z0-9.-]*$/u.test(id) ? `vscode/${id}` : undefined;
}
