import type { AgentDefinition } from "../agents/agentDefinition.ts";
import type { DiscoveredAgents } from "../agents/discoverAgents.ts";
import { mainAgent } from "../agents/mainAgent.ts";
import {
	type Catalog,
	type CatalogInputs,
	createCatalogCaches,
	discoverAgentLayers,
	discoverCatalog,
} from "../catalog/discoverCatalog.ts";
import { listMcpServers } from "../mcp/mcpServers.ts";
import { knownProviderIds } from "../models/builtinProviders.ts";
import type { Run } from "../runs/run.ts";
import type { RuntimeOptions } from "../runtimeOptions.ts";
import { discoverSkills, type SkillRoot } from "../skills/discoverSkills.ts";
import type { Skill } from "../skills/skill.ts";
import { hashOfAgent } from "./openToolbox.ts";
import { readRules } from "./readRules.ts";
import type { RunDefinition } from "./runExecutor.ts";

/** What is defined on disk, read anew each time; what has not changed comes from caches. */
export class Definitions {
	readonly #options: RuntimeOptions;
	readonly #caches = createCatalogCaches();

	constructor(options: RuntimeOptions) {
		this.#options = options;
	}

	/** The agents that can be spawned now. In an untrusted workspace only home is read. */
	async agents(): Promise<DiscoveredAgents> {
		return (await this.read()).agents;
	}

	/** Agents and configuration. The models follow what is configured now. */
	async read() {
		const read = await discoverAgentLayers(this.#inputs());
		this.#options.models.configure(read.config.modelProviders);
		return read;
	}

	/** What a main agent runs on where nothing else is said. */
	async defaultModel(): Promise<string> {
		await this.read();
		return (await this.#options.models.resolve([])).model.ref;
	}

	/** Everything: agents, skills, servers, configuration, and what is wrong with it. */
	catalog(): Promise<Catalog> {
		return discoverCatalog(this.#inputs());
	}

	/** A run's agent and what goes with it, as configured now; undefined when the agent is not there any more. */
	async define(run: Run): Promise<RunDefinition | undefined> {
		const { agents, config, roots } = await this.read();
		const agent = findAgent(run, agents);
		if (!agent) return undefined;
		const { rules, problems } = readRules(config.permissions);
		for (const { message } of problems) this.#options.logger.warn(message);
		const compaction = config.modelRoles.get("Compaction")?.value;
		return {
			agent,
			rules,
			servers: listMcpServers(config, process.env),
			edits: this.#options.edits?.() ?? "ask",
			agents: agents.agents,
			skills: await this.#skillsFor(run, roots),
			isTrusted: this.#options.isTrusted(),
			...(compaction !== undefined && { compactionModel: compaction }),
		};
	}

	/** An answer for an agent holds as long as this stays the same; null when the agent is gone. */
	async hashOfAgent(run: Run | null): Promise<string | null> {
		const agent = run && findAgent(run, (await this.read()).agents);
		return agent ? hashOfAgent(agent) : null;
	}

	/** A role's pack replaces home's skills for the runs of that role. */
	async #skillsFor({ role }: Run, roots: readonly SkillRoot[]): Promise<readonly Skill[]> {
		const own = role === null ? roots : (await discoverAgentLayers({ ...this.#inputs(), role })).roots;
		return (await discoverSkills(own, this.#caches.skills)).skills;
	}

	#inputs(): CatalogInputs {
		const { homeFolder, repoFolder } = this.#options;
		const isRead = repoFolder !== null && this.#options.isTrusted();
		return {
			homeDir: homeFolder,
			...(isRead && { repoDir: repoFolder }),
			...this.#options.catalogSettings?.(),
			environment: process.env,
			providerIds: knownProviderIds,
			caches: this.#caches,
		};
	}
}

function findAgent({ kind, agentId }: Run, { agents }: DiscoveredAgents): AgentDefinition | undefined {
	const isMain = kind === "main" || agentId === mainAgent.name;
	return agents.find(({ name }) => name === agentId) ?? (isMain ? mainAgent : undefined);
}
