import type { AgentDefinition } from "../agents/agentDefinition.ts";
import { discoverAgents, type DiscoveredAgents } from "../agents/discoverAgents.ts";
import {
	type Catalog,
	type CatalogInputs,
	createCatalogCaches,
	discoverAgentLayers,
	discoverCatalog,
} from "../catalog/discoverCatalog.ts";
import { staticAgents } from "../catalog/staticAgents.ts";
import { hasRolePack } from "../config/layerRoots.ts";
import type { ResolvedDefaults } from "../config/mergeDefaults.ts";
import type { ResolvedConfig } from "../config/resolveConfig.ts";
import { listMcpServers } from "../mcp/mcpServers.ts";
import { findKeptVariables } from "../mcp/serverSecrets.ts";
import { knownProviderIds } from "../models/builtinProviders.ts";
import { noSecrets } from "../ports/secrets.ts";
import type { Budget } from "../runs/budget.ts";
import { keyChain, usersKeys } from "../models/keyChain.ts";
import type { Run } from "../runs/run.ts";
import type { RuntimeOptions } from "../runtimeOptions.ts";
import { discoverSkills } from "../skills/discoverSkills.ts";
import { spawnableAgents } from "../spawn/spawnableAgents.ts";
import { knownTools } from "../tools/knownTools.ts";
import { narrowTools } from "../tools/narrowTools.ts";
import { findLimit } from "./findLimit.ts";
import { hashOfAgent, toolsOf } from "./openToolbox.ts";
import { readRules } from "./readRules.ts";
import type { RunDefinition } from "./runExecutor.ts";
import type { SharedBudgets } from "./spending.ts";

type Layers = Pick<CatalogInputs, "role" | "workspaceDir" | "mcpConfigPath">;

/** What is defined on disk, read anew each time; what has not changed comes from caches. */
export class Definitions {
	readonly #options: RuntimeOptions;
	readonly #caches = createCatalogCaches();

	constructor(options: RuntimeOptions) {
		this.#options = options;
	}

	/** The agent files that load now. In an untrusted workspace only home is read. */
	async agents(): Promise<DiscoveredAgents> {
		return (await this.read()).agents;
	}

	/** Agents and configuration, of a role or of an agent's own folder where one is named. The models follow it. */
	async read(place: Layers = {}) {
		const read = await discoverAgentLayers({ ...this.#inputs(), ...place });
		this.#options.models.configure(read.config.modelProviders, read.config.prices);
		return read;
	}

	/** What spawning needs to know, as it is now. */
	async forSpawning() {
		const { agents, config } = await this.read();
		const { homeFolder } = this.#options;
		const { rolesDir } = this.#inputs();
		return {
			agents: this.#allOf(agents, config),
			config,
			agentsOfPack: (role: string) => this.#agentsOfPack(role),
			configFor: async (place: Layers) => (await this.read(place)).config,
			toolNames: (agent: AgentDefinition) => toolsOf(agent, this.#options).map(({ name }) => name),
			hasRolePack: (role: string) =>
				hasRolePack({ homeDir: homeFolder, role, ...(rolesDir !== undefined && { rolesDir }) }),
		};
	}

	/** The agents that a main agent's run may spawn. */
	async spawnableBy(run: Run): Promise<readonly AgentDefinition[]> {
		return (await this.define(run))?.agents ?? [];
	}

	/** What a main agent runs on where nothing else is said. */
	async defaultModel(agentId: string): Promise<string> {
		const { agents, config } = await this.read();
		const agent = this.#allOf(agents, config).find(({ name }) => name === agentId);
		const models = this.#options.models.forAgents(agent ? keyChain(agent, usersKeys) : usersKeys);
		return (await models.resolve([config.agents.get(agentId)?.value.model])).model.ref;
	}

	/** What all runs may use up in a day. */
	async dayBudget(): Promise<Budget | undefined> {
		return (await this.read()).config.defaults.dayBudget?.value;
	}

	/** How long ended runs stay in the lists; 0 = for ever. */
	async archiveAfterMinutes(): Promise<number> {
		const { archiveAfterMinutes } = (await this.read()).config.defaults;
		const options = this.#options;
		const own = options.archiveAfterMinutes && (() => options.archiveAfterMinutes?.());
		return findLimit(archiveAfterMinutes, own, (minutes) => minutes || Infinity) ?? 0;
	}

	/** Everything: agents, skills, servers, configuration, and what is wrong with it. */
	catalog(): Promise<Catalog> {
		return discoverCatalog(this.#inputs());
	}

	/** A run's agent and what goes with it, as configured now; undefined when the agent is not there any more. */
	async define(run: Run): Promise<RunDefinition | undefined> {
		const found = await this.#find(run);
		if (!found) return undefined;
		const { agent, all, layers } = found;
		const { config, roots } = layers;
		const { rules, problems } = readRules(config.permissions);
		for (const { message } of problems) this.#options.logger.warn(message);
		const compaction = config.modelRoles.get("Compaction")?.value;
		const isRestricted = run.request.isRestricted === true || agent.configured?.isRestricted === true;
		return {
			agent,
			agentHash: found.hash,
			rules,
			isRestricted,
			// One that is restricted starts no processes.
			servers: isRestricted ? [] : listMcpServers(config, process.env, await this.#findKept(config)),
			serverProblems: findErrors(config, run.request.mcpConfigPath),
			edits: this.#options.edits?.() ?? "ask",
			agents: spawnableAgents({ ...agent, isRestricted }, all),
			skills: (await discoverSkills(roots, this.#caches.skills)).skills,
			budgets: sharedBudgets(found.base.defaults),
			isTrusted: this.#options.isTrusted(),
			...(compaction !== undefined && { compactionModel: compaction }),
		};
	}

	/** An answer for an agent holds as long as this stays the same; null when the agent is gone. */
	async hashOfAgent(run: Run | null): Promise<string | null> {
		const found = run && (await this.#find(run));
		return found?.hash ?? null;
	}

	/** The agent with what its layers leave it: a role's pack and an agent's own folder stand in for home. */
	async #find(run: Run) {
		const base = await this.read();
		const all = this.#allOf(base.agents, base.config);
		const { isPacksAgent = false } = run.request;
		const named = isPacksAgent && run.role !== null ? await this.#agentsOfPack(run.role) : all;
		const found = findAgent(run, named);
		if (!found) return undefined;
		const role = run.role ?? (run.kind === "main" ? found.role : undefined);
		const workspaceDir = found.configured?.workspace;
		const { mcpConfigPath } = run.request;
		const isBase = role === undefined && workspaceDir === undefined && mcpConfigPath === null;
		const layers = isBase
			? base
			: await this.read({
					...(role !== undefined && { role }),
					...(workspaceDir !== undefined && { workspaceDir }),
					...(mcpConfigPath !== null && { mcpConfigPath }),
				});
		return {
			agent: applyDefaults(found, run, layers.config.defaults),
			hash: hashOfAgent(found),
			all,
			layers,
			base: base.config,
		};
	}

	/** A static agent is the user's, and no file takes its name. */
	#allOf({ agents }: DiscoveredAgents, config: ResolvedConfig): readonly AgentDefinition[] {
		const own = staticAgents(config, this.#options.homeFolder);
		const names = new Set(own.map(({ name }) => name));
		return [...own, ...agents.filter(({ name }) => !names.has(name))];
	}

	async #agentsOfPack(role: string): Promise<readonly AgentDefinition[]> {
		const { roots } = await this.read({ role });
		const packs = roots.filter(({ layer }) => layer === "role");
		return packs.length === 0 ? [] : (await discoverAgents(packs, knownTools)).agents;
	}

	#findKept(config: ResolvedConfig) {
		return findKeptVariables(config, this.#options.secrets ?? noSecrets);
	}

	#inputs(): CatalogInputs {
		const { homeFolder, repoFolder, secrets } = this.#options;
		const isRead = repoFolder !== null && this.#options.isTrusted();
		return {
			homeDir: homeFolder,
			...(isRead && { repoDir: repoFolder }),
			...this.#options.catalogSettings?.(),
			environment: process.env,
			...(secrets && { secrets }),
			providerIds: knownProviderIds,
			caches: this.#caches,
		};
	}
}

function findAgent({ agentId }: Run, agents: readonly AgentDefinition[]): AgentDefinition | undefined {
	return agents.find(({ name }) => name === agentId);
}

/** What is wrong with the file that the call named. */
function findErrors({ problems }: ResolvedConfig, mcpConfigPath: string | null): readonly string[] {
	const own = problems.filter(({ file, severity }) => file === mcpConfigPath && severity === "error");
	return own.map(({ message }) => message);
}

/** They hold across roles, so no role's pack has a say in them. */
export function sharedBudgets({ sessionBudget, agentBudget, dayBudget }: ResolvedDefaults): SharedBudgets {
	return {
		...(sessionBudget && { session: sessionBudget.value }),
		...(agentBudget && { agent: agentBudget.value }),
		...(dayBudget && { day: dayBudget.value }),
	};
}

/** What holds for every subagent narrows the agent's tools, and fills in what it does not say itself. */
function applyDefaults(agent: AgentDefinition, run: Run, defaults: ResolvedDefaults): AgentDefinition {
	const { tools: _, disallowedTools: __, ...rest } = agent;
	if (run.kind !== "subagent") return { ...rest, ...narrowTools(agent) };
	const ofAll = { tools: defaults.allowTools?.value, disallowedTools: defaults.denyTools?.value };
	const maxTurns = agent.maxTurns ?? defaults.maxTurns?.value;
	return {
		...rest,
		...narrowTools(agent, run.request.toolLists ?? {}, ofAll),
		...(maxTurns !== undefined && { maxTurns }),
	};
}
