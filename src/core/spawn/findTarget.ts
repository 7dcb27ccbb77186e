import type { AgentDefinition } from "../agents/agentDefinition.ts";
import type { Run } from "../runs/run.ts";
import { type NarrowedTools, narrowTools } from "../tools/narrowTools.ts";
import { findReasonAgainst, spawnableAgents } from "./spawnableAgents.ts";
import { refuse, type RefusedSpawn } from "./spawnAnswer.ts";
import type { SpawnContext } from "./spawnContext.ts";
import type { SpawnRequest } from "./spawnRequest.ts";

/** Who asks for a subagent. */
export interface Asking {
	readonly name: string;
	readonly isPerson: boolean;
	/** Absent for a person, and for an agent that is gone. */
	readonly agent?: AgentDefinition;
	/** The run that asks, when it is a run. */
	readonly run?: Run;
	/** A person's spawn is trusted. */
	readonly isRestricted: boolean;
}

export type Target =
	| { readonly agent: AgentDefinition; readonly isPacksAgent: boolean }
	| { readonly refusal: RefusedSpawn };

export async function findAsking({ requester, agents, database }: SpawnContext): Promise<Asking> {
	const { isPerson, runId, session } = requester;
	const run = runId === null ? null : await database.call("getRun", { runId });
	const agent = isPerson ? undefined : agents.find(({ name }) => name === session.agentId);
	const isRestricted = agent?.configured?.isRestricted === true || run?.request.isRestricted === true;
	return { name: session.agentId, isPerson, ...(agent && { agent }), ...(run && { run }), isRestricted };
}

/** The agent that is asked for; who names none means its own, and a person the default one. */
export async function findTarget(request: SpawnRequest, asking: Asking, context: SpawnContext): Promise<Target> {
	const { agents, config, requester } = context;
	const isUser = asking.isPerson && requester.session.kind === "user";
	const own = isUser ? config.defaultAgent.value : asking.name;
	const wanted = (request.agent ?? own).toLowerCase();
	const isWanted = ({ name }: AgentDefinition) => name === wanted;
	const open = (all: readonly AgentDefinition[]) =>
		asking.isPerson ? all.filter(isOpenToPeople) : openTo(asking, all);

	const ofPack = request.role === undefined ? [] : open(await context.agentsOfPack(request.role));
	const packs = ofPack.find(isWanted);
	// A pack is no way around what a static agent of that name may do.
	if (packs && !agents.some((agent) => isWanted(agent) && agent.configured))
		return { agent: packs, isPacksAgent: true };
	const found = agents.find((agent) => isWanted(agent) && (agent.configured ?? isOpen(agent, asking)));
	if (found) {
		const reason = asking.isPerson ? undefined : findReasonAgainst(withProfile(asking), found);
		return reason === undefined ? { agent: found, isPacksAgent: false } : { refusal: refuse("forbidden", reason) };
	}
	const names = [...open(agents), ...ofPack].map(({ name }) => name);
	return { refusal: refuse("error", agentNotFound(request.agent ?? own, names)) };
}

/** What the asker leaves its subagents: its own tools, unless the agent was allowed by name, and what its list says. */
export function listTools({ name, configured }: AgentDefinition, { agent, name: own }: Asking): NarrowedTools {
	if (!agent) return {};
	const { allowTools, denyTools } = agent.configured?.subagents ?? {};
	const isAllowedByName = configured !== undefined && name !== own;
	return narrowTools(isAllowedByName ? {} : agent, { tools: allowTools, disallowedTools: denyTools });
}

/** A static agent has its own profile, a file that of who spawns it. */
export function isRestrictedUnder(asking: Asking, { configured }: AgentDefinition): boolean {
	return configured ? configured.isRestricted : asking.isRestricted;
}

function withProfile({ agent, name, isRestricted }: Asking) {
	return { ...agent, name, isRestricted };
}

function openTo(asking: Asking, agents: readonly AgentDefinition[]): readonly AgentDefinition[] {
	return spawnableAgents(withProfile(asking), agents);
}

function isOpen(agent: AgentDefinition, { isPerson }: Asking): boolean {
	return isOpenToPeople(agent) && (isPerson || agent.isForPeopleOnly !== true);
}

function isOpenToPeople({ visibility }: AgentDefinition): boolean {
	return visibility === "user-facing";
}

function agentNotFound(name: string, names: readonly string[]): string {
	const hint =
		names.length > 0
			? `Available: ${names.join(", ")}.`
			: "No agents are defined yet: run “Muster: Set Up This Workspace”.";
	return `There is no agent named ${JSON.stringify(name.slice(0, 80))}. ${hint}`;
}
