import type { AgentDialect, AgentSource } from "./agentDialect.ts";
import type { AgentReading, ParsedAgent } from "../agentFile.ts";
import { inFile, type TextProblem } from "../agentProblem.ts";
import { decodeSource } from "../decodeSource.ts";
import { findHiddenCharacters } from "../hiddenCharacters.ts";
import { changingTools, finishForeignAgent, type ForeignAgent } from "./foreignAgent.ts";
import { ForeignFields } from "./foreignFields.ts";
import { placeInToml, readToml } from "./foreignToml.ts";
import { readModel, readThinking } from "./foreignModel.ts";

const about = { id: "codex", title: "Codex" } as const;

/** Codex: `.codex/agents/*.toml`, a configuration with instructions in it. */
export const codexDialect: AgentDialect = {
	...about,
	depth: 0,
	folders: () => [".codex/agents"],
	matches: (name) => name.endsWith(".toml"),
	read: readCodexFile,
};

async function readCodexFile(source: AgentSource, { vocabulary }: AgentReading): Promise<ParsedAgent> {
	const refuse = (problem: TextProblem) => ({ problems: [inFile(source.file, problem)] });
	const decoded = decodeSource(source.bytes);
	if ("problem" in decoded) return refuse(decoded.problem);
	const { text } = decoded;
	const hidden = findHiddenCharacters(text);
	if (hidden !== undefined) return refuse(hidden);
	const toml = await readToml(text);
	if ("problem" in toml) return refuse(toml.problem);
	const fields = new ForeignFields(toml.data, about.title, vocabulary);
	const found = readCodexAgent(fields);
	return finishForeignAgent(about.id, source, fields, found, vocabulary, async (problems) =>
		problems.map((problem) => inFile(source.file, placeInToml(problem, text))),
	);
}

function readCodexAgent(fields: ForeignFields): ForeignAgent {
	const isReadOnly = fields.text("sandbox_mode") === "read-only";
	if (!isReadOnly) fields.inert("sandbox_mode", "there is no sandbox; your settings decide what agents may do.");
	for (const key of ["approval_policy", "permissions"]) {
		fields.inert(key, "your settings decide what agents may do.");
	}
	fields.inert("hooks", "an agent file starts no programs.");
	fields.inert("mcp_servers", "servers are set up in config.toml.");
	const provider = fields.text("model_provider") ?? "openai";
	return {
		name: fields.text("name"),
		description: fields.text("description"),
		prompt: typeof fields.data["developer_instructions"] === "string" ? fields.data["developer_instructions"] : "",
		...(isReadOnly && { disallowedTools: [...changingTools] }),
		...readModel(fields, "model", (name) => (name.includes(" ") ? undefined : `${provider}/${name}`)),
		...readThinking(fields, "model_reasoning_effort"),
	};
}
