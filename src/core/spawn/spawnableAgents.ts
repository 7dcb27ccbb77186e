import type { AgentDefinition } from "../agents/agentDefinition.ts";

/**
 * The agents that an agent may spawn by name: user-facing files, and of the static agents those that its `allow_agents`
 * names. One that is restricted spawns none that is not.
 */
export function spawnableAgents(
	requester: Pick<AgentDefinition, "name" | "configured"> & { readonly isRestricted: boolean },
	agents: readonly AgentDefinition[],
): readonly AgentDefinition[] {
	return agents.filter(
		(agent) =>
			agent.visibility === "user-facing" &&
			agent.isForPeopleOnly !== true &&
			findReasonAgainst(requester, agent) === undefined,
	);
}

/** Why it may not spawn this agent, for the model; undefined when it may. */
export function findReasonAgainst(
	requester: Pick<AgentDefinition, "name" | "configured"> & { readonly isRestricted: boolean },
	{ name, configured }: AgentDefinition,
): string | undefined {
	if (!configured || name === requester.name) return undefined;
	const allowed = requester.configured?.allowAgents ?? [];
	if (!allowed.includes("*") && !allowed.includes(name)) {
		return `The agent ${requester.name} may not spawn the agent ${name}. A person can allow it: add "${name}" to subagents.allow_agents of "${requester.name}" in agents.list.`;
	}
	if (requester.isRestricted && !configured.isRestricted) {
		return `The agent ${requester.name} is restricted, and ${name} is trusted, so it may not spawn it. Use an agent that is restricted too, or do the work yourself.`;
	}
	return undefined;
}
