import type { AgentDefinition } from "./agentDefinition.ts";

/** How long a subagent may be silent when its file does not say. */
const usualTimeoutSeconds = 120;

/**
 * What the model that spawns is told about the agents that it can spawn: the `[available-subagents]` block, sorted by
 * name. Undefined when there are none. Internal agents and those for people only are left out. An agent's own words stay
 * on one line each, so that none of them can pass for another agent.
 */
export function describeAvailableSubagents(agents: readonly AgentDefinition[]): string | undefined {
	const available = agents
		.filter(({ visibility, isForPeopleOnly }) => visibility === "user-facing" && isForPeopleOnly !== true)
		.toSorted((one, other) => (one.name < other.name ? -1 : 1));
	if (available.length === 0) return undefined;
	return [heading, ...available.map(describeAgent), closing].join("\n\n");
}

const heading = "[available-subagents]\nThese agents can work for you in the background. Delegate with spawn_agent.";

const closing = `## How to delegate
Give one focused task. In \`context\`, say what the subagent would otherwise have to find out again: details of the workspace, the user's wider goal, facts that you know already. Leave out what its own instructions say.`;

function describeAgent(agent: AgentDefinition): string {
	const { name, description } = agent;
	const call = {
		agent: name,
		task: "What exactly to do, and what to report.",
		context: "What it needs to know about the workspace and the goal.",
	};
	return [
		`## ${name}`,
		description.replaceAll(/\s+/gu, " "),
		`Tools: ${describeTools(agent)}`,
		`Timeout: ${describeTimeout(agent)}`,
		`Example: spawn_agent(${JSON.stringify(call)})`,
	].join("\n");
}

function describeTools({ tools, disallowedTools = [] }: AgentDefinition): string {
	const denied = new Set(disallowedTools);
	if (tools !== undefined) return tools.filter((name) => !denied.has(name)).join(", ") || "none";
	return denied.size === 0 ? "the same as yours" : `the same as yours without ${[...denied].join(", ")}`;
}

function describeTimeout({ timeoutSeconds = usualTimeoutSeconds }: AgentDefinition): string {
	return timeoutSeconds === 0 ? "none" : `${timeoutSeconds}s without progress`;
}
