import { BugError } from "../base/errors.ts";
import type { KeyChain } from "./keyChain.ts";
import type { Model, ModelProvider, ModelRef } from "./modelPort.ts";
import type { Price, PriceTable } from "./priceTable.ts";
import type { ConfiguredProvider } from "./serverProvider.ts";

export interface ResolvedModel {
	readonly model: Model;
	/** Whether the first choice is what runs. */
	readonly isFirstChoice: boolean;
	readonly warning?: string;
}

/** What the user's own configuration says about providers: home's and the settings', never a repo's or a role pack's. */
export type ConfiguredProviders = ReadonlyMap<string, { readonly value: ConfiguredProvider }>;

/** What the user says models cost, by the beginning of `provider/model`. */
export type ConfiguredPrices = ReadonlyMap<string, { readonly value: Price }>;

export interface RegistryOptions {
	/** The providers behind an address, as configured now. */
	servers?(configured: ReadonlyMap<string, ConfiguredProvider>, prices: PriceTable): readonly ModelProvider[];
	/** What a person has chosen to run where nothing else is said, the first first. Asked at every spawn. */
	readonly chosen?: () => readonly (string | undefined)[];
}

interface Refusal {
	readonly obstacle: string;
}

/** Every model that can be used, by its `provider/model` reference. */
export class ModelRegistry {
	readonly #fixed: readonly ModelProvider[];
	readonly #options: RegistryOptions;
	readonly #fallback: Model;
	#servers: readonly ModelProvider[];
	#configured = "[[],{}]";

	/** `fallback` runs where nothing else is chosen or usable. */
	constructor(fixed: readonly ModelProvider[], fallback: ModelRef, options: RegistryOptions = {}) {
		this.#fixed = fixed;
		this.#options = options;
		this.#servers = options.servers?.(new Map(), {}) ?? [];
		const model = this.find(fallback);
		if (!model) throw new BugError(`The fallback model ${fallback} does not exist`);
		this.#fallback = model;
	}

	/** Follows the configuration as it was just read; no reload is needed when it changes. */
	configure(providers: ConfiguredProviders, prices: ConfiguredPrices = new Map()): void {
		const values = [...providers].map(([id, { value }]) => [id, value] as const);
		const table = Object.fromEntries([...prices].map(([name, { value }]) => [name, value] as const));
		const configured = JSON.stringify([values, table]);
		if (configured === this.#configured) return;
		this.#configured = configured;
		this.#servers = this.#options.servers?.(new Map(values), table) ?? [];
	}

	/** The same models with the keys that these agents may use. */
	forAgents(chain: KeyChain): ModelRegistry {
		if (chain.agents.length === 0 && chain.isShared) return this;
		const { chosen } = this.#options;
		const registry = new ModelRegistry(this.#fixed, this.#fallback.ref, { ...(chosen && { chosen }) });
		registry.#servers = this.#servers.map((provider) => provider.forAgents?.(chain) ?? provider);
		return registry;
	}

	/**
	 * The first usable of these references, else what the person has chosen, else a model of what the person has set up,
	 * else the fallback. What was asked for and passed over is in the warning, with what to do.
	 */
	async resolve(references: readonly (string | undefined)[]): Promise<ResolvedModel> {
		const wanted = [...references, ...(this.#options.chosen?.() ?? [])].filter((reference) => reference !== undefined);
		const obstacles: string[] = [];
		for (const reference of new Set(wanted)) {
			const tried = await this.#try(reference);
			if (!("obstacle" in tried)) return describe(tried, obstacles);
			obstacles.push(tried.obstacle);
		}
		const { model, notes } = await this.#findSetUp();
		return describe(model, obstacles, notes);
	}

	/** Whether a person has set up what the reference names, so that a repo may choose it. */
	async isSetUp(reference: string): Promise<boolean> {
		const provider = this.#providerOf(reference);
		if (!provider) return false;
		return (
			(this.#options.chosen?.() ?? []).includes(reference) ||
			this.#fallback.ref.startsWith(`${provider.id}/`) ||
			((await provider.isSetUp?.()) ?? false)
		);
	}

	providers(): readonly ModelProvider[] {
		return [...this.#servers, ...this.#fixed];
	}

	find(reference: string): Model | undefined {
		return this.#providerOf(reference)?.model(reference.slice(reference.indexOf("/") + 1));
	}

	#providerOf(reference: string): ModelProvider | undefined {
		const id = reference.slice(0, Math.max(0, reference.indexOf("/")));
		return this.providers().find((provider) => provider.id === id);
	}

	async #try(reference: string): Promise<Model | Refusal> {
		const obstacle = await this.#providerOf(reference)?.findObstacle?.();
		if (obstacle !== undefined) return { obstacle: `The model ${reference} cannot be used: ${obstacle}` };
		return this.find(reference) ?? { obstacle: `The model ${reference} is not available here.` };
	}

	/** Of what the person has set up, in the order of the settings; the notes say why none of that runs. */
	async #findSetUp(): Promise<{ readonly model: Model; readonly notes: readonly string[] }> {
		const notes: string[] = [];
		for (const provider of this.providers()) {
			if (!(await provider.isSetUp?.())) continue;
			const obstacle = await provider.findObstacle?.();
			const modelId = obstacle === undefined ? await provider.defaultModelId?.() : undefined;
			const model = modelId === undefined ? undefined : provider.model(modelId);
			if (model) return { model, notes: [] };
			notes.push(
				obstacle ??
					`${provider.label} does not say which models it has: name one, or choose one with “Muster: Pick Model”.`,
			);
		}
		return { model: this.#fallback, notes };
	}
}

/** The notes are about what nobody asked for: they take nothing from what was applied. */
function describe(model: Model, obstacles: readonly string[], notes: readonly string[] = []): ResolvedModel {
	const isFirstChoice = obstacles.length === 0;
	const reasons = [...obstacles, ...notes];
	if (reasons.length === 0) return { model, isFirstChoice };
	return { model, isFirstChoice, warning: [...reasons, `${model.label} (${model.ref}) runs instead.`].join(" ") };
}
