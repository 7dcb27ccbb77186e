import type { AgentDefinition } from "../agents/agentDefinition.ts";
import type { ResolvedConfig } from "../config/resolveConfig.ts";
import type { ModelRegistry } from "../models/modelRegistry.ts";

export interface ModelWishes {
	/** On the call. */
	readonly called: string | undefined;
	readonly agent: Pick<AgentDefinition, "name" | "model" | "modelRole" | "configured">;
	/** What the run that spawns runs on. */
	readonly parents: string | undefined;
	readonly config: Pick<ResolvedConfig, "defaults" | "modelRoles">;
}

export interface ChosenModel {
	readonly ref: string;
	/** Whether what was asked for first is what runs. */
	readonly isApplied: boolean;
	readonly warnings: readonly string[];
}

/**
 * Call > agent file > what a static agent says of subagents > the defaults of subagents > the static agent's own > the
 * parent's > what the registry falls back to.
 */
export async function chooseModel(wishes: ModelWishes, models: ModelRegistry): Promise<ChosenModel> {
	const { called, agent, parents } = wishes;
	const warnings: string[] = [];
	let isRoleMissing = false;
	const { configured } = agent;
	let own = configured ? configured.subagents.model : agent.model;
	if (own === undefined && agent.modelRole !== undefined) {
		own = wishes.config.modelRoles.get(agent.modelRole)?.value;
		isRoleMissing = own === undefined && called === undefined;
	}
	const defaults = await readDefault(wishes, models);
	// Only what would have decided is worth a word.
	if (defaults.refusal !== undefined && called === undefined && own === undefined) warnings.push(defaults.refusal);
	const resolved = await models.resolve([called, own, defaults.model, configured && agent.model, parents]);
	if (resolved.warning !== undefined) warnings.push(resolved.warning);
	if (isRoleMissing) warnings.push(describeMissingRole(agent, resolved.model.ref));
	const isApplied = resolved.isFirstChoice && !isRoleMissing && warnings.every((text) => text !== defaults.refusal);
	return { ref: resolved.model.ref, isApplied, warnings };
}

/** A repo chooses among what the user has set up, and nothing that merely lies there. */
async function readDefault(
	{ config }: ModelWishes,
	models: ModelRegistry,
): Promise<{ readonly model?: string; readonly refusal?: string }> {
	const { model } = config.defaults;
	if (model === undefined) return {};
	if (model.provenance.layer !== "repo" || (await models.isSetUp(model.value))) return { model: model.value };
	const refusal = `The folder's configuration asks for the model ${model.value}, which you have not set up, so that is not followed.`;
	return { refusal };
}

function describeMissingRole({ name, modelRole }: ModelWishes["agent"], ref: string): string {
	return `The agent ${name} asks for the model role “${modelRole}”, which is mapped to no model, so it runs on ${ref}. Map it in the setting muster.modelRoles, or under [model_roles] in the config.toml of your home.`;
}
