import type { DiscoveredAgents } from "../agents/discoverAgents.ts";
import { mainAgent } from "../agents/mainAgent.ts";
import {
	type Catalog,
	type CatalogInputs,
	createCatalogCaches,
	discoverAgentLayers,
	discoverCatalog,
} from "../catalog/discoverCatalog.ts";
import { knownProviderIds } from "../models/builtinProviders.ts";
import type { Run } from "../runs/run.ts";
import type { RuntimeOptions } from "../runtimeOptions.ts";
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
		const { agents, config } = await this.read();
		const found = agents.agents.find(({ name }) => name === run.agentId);
		const isMain = run.kind === "main" || run.agentId === mainAgent.name;
		const agent = found ?? (isMain ? mainAgent : undefined);
		if (!agent) return undefined;
		const { rules, problems } = readRules(config.permissions);
		for (const { message } of problems) this.#options.logger.warn(message);
		return { agent, rules, edits: this.#options.edits?.() ?? "ask" };
	}

	/** An answer for an agent holds as long as this stays the same; null when the agent is gone. */
	async hashOfAgent(run: Run | null): Promise<string | null> {
		const definition = run && (await this.define(run));
		return definition ? hashOfAgent(definition.agent) : null;
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
