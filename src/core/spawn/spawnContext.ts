import type { AgentDefinition } from "../agents/agentDefinition.ts";
import type { ResolvedConfig } from "../config/resolveConfig.ts";
import type { ModelRegistry } from "../models/modelRegistry.ts";
import type { Clock } from "../ports/clock.ts";
import type { RunRequest } from "../runs/runRequest.ts";
import type { Database } from "../store/database.ts";
import type { NewSession } from "../store/sessions.ts";

/** Who spawns. */
export interface Requester {
	readonly session: NewSession;
	/** The run that asks, when it is a run. */
	readonly runId: string | null;
	/** A person is never refused for the limits of a session. */
	readonly isPerson: boolean;
	/** Who asks again with the same key means the same run. */
	readonly retryKey?: string;
	/** What a person gives along. */
	readonly grants?: Pick<RunRequest, "allow" | "onAsk" | "isOverBudget">;
}

export type SpawnConfig = Pick<ResolvedConfig, "defaults" | "modelRoles" | "defaultAgent">;

export interface SpawnContext {
	readonly requester: Requester;
	readonly agents: readonly AgentDefinition[];
	readonly models: ModelRegistry;
	readonly config: SpawnConfig;
	readonly clock: Clock;
	readonly database: Database;
	readonly hostId: string;
	/** The open folder, or null. */
	readonly repoFolder: string | null;
	readonly limits: { readonly active: number; readonly retained: number; readonly depth: number };
	/** The agents that the pack of a role brings. */
	agentsOfPack(role: string): Promise<readonly AgentDefinition[]>;
	/** The configuration where a role's pack, or the agent's own folder, stands in for home. */
	configFor(place: { readonly role?: string; readonly workspaceDir?: string }): Promise<SpawnConfig>;
	/** The tools that an agent would really have: without any it can do nothing. */
	toolNames(agent: AgentDefinition): readonly string[];
	/** Whether a role has a pack. */
	hasRolePack(role: string): Promise<boolean>;
}
