import type { AgentDefinition } from "../agents/agentDefinition.ts";
import { mainAgent } from "../agents/mainAgent.ts";
import type { StaticAgent } from "../config/agentsFields.ts";
import { resolveFolder } from "../config/layerRoots.ts";
import type { ResolvedConfig } from "../config/resolveConfig.ts";
import type { Resolved } from "../config/provenance.ts";

/** The agents of `agents.list`, `main` always among them, as what runs are started with. */
export function staticAgents(config: Pick<ResolvedConfig, "agents">, homeDir: string): readonly AgentDefinition[] {
	return Array.from(config.agents.values(), (agent) => toDefinition(agent, homeDir));
}

function toDefinition({ value, provenance }: Resolved<StaticAgent>, homeDir: string): AgentDefinition {
	const { id, name, model, role, systemPrompt, tools, sandbox, subagents, authFallback } = value;
	const isMain = id === mainAgent.name;
	const { allowAgents = [], ...settings } = subagents ?? {};
	const workspace = resolveFolder(value.workspace, homeDir);
	return {
		name: id,
		description: name ?? (isMain ? mainAgent.description : `The agent ${id} of the configuration.`),
		visibility: isMain ? "internal" : "user-facing",
		layer: "home",
		file: provenance.file ?? "",
		dialect: "native",
		prompt: systemPrompt ?? (isMain ? mainAgent.prompt : ""),
		...(model !== undefined && { model: model as NonNullable<AgentDefinition["model"]> }),
		...(role !== undefined && { role }),
		...(tools?.allow && { tools: tools.allow }),
		...(tools?.deny && { disallowedTools: tools.deny }),
		configured: {
			isRestricted: sandbox === "restricted",
			...(authFallback && { authFallback }),
			...(workspace !== "" && { workspace }),
			allowAgents: allowAgents.map((agent) => agent.trim().toLowerCase()),
			subagents: settings,
		},
	};
}
