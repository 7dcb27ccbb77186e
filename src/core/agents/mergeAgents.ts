import type { AgentDefinition } from "./agentDefinition.ts";

/** What to do when a file of the repo has the name of an agent in a lower layer. */
export type OnDuplicate = "error" | "projectWins";

/** An agent that another of the same name is used instead of. */
export interface ShadowedAgent {
	readonly agent: AgentDefinition;
	/** The file that is used. */
	readonly by: string;
}

/** Two agents of one name, and how it went. */
export interface AgentClash {
	readonly kind:
		| "duplicate" // in one layer and dialect: the second is not loaded
		| "dialect" // in one layer: the dialect that comes first is used
		| "layer" // the higher one does not say that it overrides: it is not loaded
		| "import"; // the higher one is foreign, can't say it, and is used
	readonly used: AgentDefinition;
	readonly other: AgentDefinition;
}

export interface MergedAgents {
	/** By name, each name once. */
	readonly agents: readonly AgentDefinition[];
	readonly shadowed: readonly ShadowedAgent[];
	readonly clashes: readonly AgentClash[];
}

/**
 * Decides which agent a name means. Takes the layers from the lowest to the highest, and in each its agents by dialect
 * and file in the order of precedence. What comes out depends on names, layers, dialects and `override` alone.
 */
export function mergeAgents(
	layers: readonly (readonly AgentDefinition[])[],
	onDuplicate: OnDuplicate = "error",
): MergedAgents {
	let byName = new Map<string, AgentDefinition>();
	const shadowed: ShadowedAgent[] = [];
	const clashes: AgentClash[] = [];
	for (const layer of layers) {
		const own = new Map<string, AgentDefinition>();
		for (const agent of layer) {
			const used = own.get(agent.name);
			if (used === undefined) {
				own.set(agent.name, agent);
				continue;
			}
			const isSameDialect = used.dialect === agent.dialect;
			clashes.push({ kind: isSameDialect ? "duplicate" : "dialect", used, other: agent });
			if (!isSameDialect) shadowed.push({ agent, by: used.file });
		}
		if (byName.size === 0) {
			byName = own;
			continue;
		}
		for (const agent of own.values()) {
			const lower = byName.get(agent.name);
			if (lower !== undefined && !canReplace(agent, onDuplicate)) {
				clashes.push({ kind: "layer", used: lower, other: agent });
				continue;
			}
			byName.set(agent.name, lower === undefined ? agent : { ...agent, shadows: lower.file });
			if (lower === undefined) continue;
			shadowed.push({ agent: lower, by: agent.file });
			if (agent.dialect !== "native") clashes.push({ kind: "import", used: agent, other: lower });
		}
	}
	const agents = [...byName.values()].toSorted((one, other) => (one.name < other.name ? -1 : 1));
	return { agents, shadowed, clashes };
}

function canReplace({ dialect, layer, override }: AgentDefinition, onDuplicate: OnDuplicate): boolean {
	return dialect !== "native" || override === true || (layer === "repo" && onDuplicate === "projectWins");
}
