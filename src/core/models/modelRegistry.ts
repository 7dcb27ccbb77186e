import { BugError } from "../base/errors.ts";
import type { Model, ModelProvider, ModelRef } from "./modelPort.ts";

export interface ResolvedModel {
	readonly model: Model;
	/** Whether the first choice is what runs. */
	readonly isFirstChoice: boolean;
	readonly warning?: string;
}

/** Every model that can be used, by its `provider/model` reference. */
export class ModelRegistry {
	readonly #providers: ReadonlyMap<string, ModelProvider>;
	readonly #fallback: Model;

	/** `fallback` runs where nothing else is chosen or usable. */
	constructor(providers: readonly ModelProvider[], fallback: ModelRef) {
		this.#providers = new Map(providers.map((provider) => [provider.id, provider]));
		const model = this.find(fallback);
		if (!model) throw new BugError(`The fallback model ${fallback} does not exist`);
		this.#fallback = model;
	}

	/** The first usable of these references, else the fallback; a reference that was passed over is named in the warning. */
	resolve(references: readonly (string | undefined)[]): ResolvedModel {
		const wanted = references.filter((reference) => reference !== undefined);
		for (const reference of wanted) {
			const model = this.find(reference);
			if (model) return describe(model, reference, wanted);
		}
		return describe(this.#fallback, undefined, wanted);
	}

	providerIds(): readonly string[] {
		return [...this.#providers.keys()];
	}

	find(reference: string): Model | undefined {
		const slash = reference.indexOf("/");
		return this.#providers.get(reference.slice(0, slash))?.model(reference.slice(slash + 1));
	}
}

function describe(model: Model, chosen: string | undefined, wanted: readonly string[]): ResolvedModel {
	const [first] = wanted;
	if (first === chosen) return { model, isFirstChoice: true };
	return {
		model,
		isFirstChoice: false,
		warning: `The model ${first} is not available here; ${model.label} (${model.ref}) runs instead.`,
	};
}
