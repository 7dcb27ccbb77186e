import { basename } from "node:path";
import { isDeepStrictEqual } from "node:util";
import type { AgentDefinition } from "../agentDefinition.ts";
import type { ParsedAgent } from "../agentFile.ts";
import { findModelProblem, findIsolationProblem } from "../agentFieldProblems.ts";
import { toAgentName } from "../agentName.ts";
import type { AgentProblem } from "../agentProblem.ts";
import type { AgentVocabulary } from "../agentVocabulary.ts";
import type { FieldProblem } from "../fieldProblem.ts";
import type { AgentDialect, AgentSource } from "./agentDialect.ts";
import type { ForeignFields } from "./foreignFields.ts";

/** What a dialect makes of one file: our fields, with the names of agent, model and tools already ours. */
export interface ForeignAgent extends Partial<
	Omit<AgentDefinition, "name" | "description" | "prompt" | "dialect" | "extra" | "file" | "layer" | "override">
> {
	/** As it is written; absent where the file's own name is the agent's. */
	readonly name?: string | undefined;
	readonly description: string | undefined;
	readonly prompt: string;
	/** Why its own program does not take it for an agent either. */
	readonly skipped?: { readonly code: string; readonly message: string } | undefined;
}

/** Turns what a dialect found into a definition, and says what is wrong with it. */
export async function finishForeignAgent(
	dialect: AgentDialect["id"],
	{ layer, file, path }: AgentSource,
	fields: ForeignFields,
	found: ForeignAgent,
	vocabulary: AgentVocabulary,
	place: (problems: readonly FieldProblem[]) => Promise<AgentProblem[]>,
): Promise<ParsedAgent> {
	const { name: written, description, prompt, skipped, ...others } = found;
	if (skipped !== undefined) return { problems: await place([{ ...skipped, severity: "information", path: [] }]) };
	const stem = basename(path).replace(/(?:\.agent)?\.\w+$/u, "");
	const name = toAgentName(written ?? stem) ?? toAgentName(stem);
	const all = [
		...fields.problems,
		...findModelProblem(others.model, vocabulary),
		...findIsolationProblem(others.isolation),
		...(name === undefined ? [nameless(written ?? stem)] : []),
		...(description === undefined ? [undescribed] : []),
		...(prompt.trim() === "" ? [promptless] : []),
	];
	// What keeps a file of another program out is the only thing that its reader needs to know.
	const errors = all.filter(({ severity }) => severity === "error");
	const problems = await place(errors.length > 0 ? errors : all);
	if (name === undefined || errors.length > 0) return { problems };
	const definition = {
		...others,
		name,
		description: description ?? "",
		visibility: others.visibility ?? "user-facing",
		...(description === undefined && { isForPeopleOnly: true as const }),
	};
	const extra = findExtra(fields.data, definition, prompt);
	return {
		agent: { ...definition, prompt, dialect, ...(extra !== undefined && { extra }), layer, file },
		problems,
	};
}

/** Every entry that the definition does not hold in the same words; the prompt, under whatever key, is held. */
function findExtra(data: ForeignFields["data"], definition: object, prompt: string): AgentDefinition["extra"] {
	const held = new Map<string, unknown>(Object.entries(definition));
	const entries = Object.entries(data).filter(
		([key, value]) => value !== prompt && !(held.has(key) && isDeepStrictEqual(held.get(key), value)),
	);
	return entries.length === 0 ? undefined : Object.fromEntries(entries);
}

function nameless(text: string): FieldProblem {
	const message = `${JSON.stringify(text)} has no letter or digit that a name can be made of. Name the file in a-z, 0-9 and hyphens.`;
	return { severity: "error", code: "agent.name", message, path: ["name"] };
}

const undescribed: FieldProblem = {
	severity: "warning",
	code: "agent.undescribed",
	message:
		"There is no description, so models can't tell what this agent is for and do not see it. People can spawn it.",
	path: [],
};

const promptless: FieldProblem = {
	severity: "error",
	code: "agent.emptyBody",
	message: "There are no instructions for the agent in this file, so it is not loaded.",
	path: [],
	part: "body",
};

/** What an agent that only reads does not have. */
export const changingTools = ["write_file", "edit_file", "shell", "shell_start"] as const;
