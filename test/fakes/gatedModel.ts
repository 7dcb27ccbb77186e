import type { Model, ModelPart, ModelRequest } from "../../src/core/models/modelPort.ts";
import { ScriptedModel, type ScriptedReply } from "./scriptedModel.ts";

/** A scripted model whose first answer comes only when the test opens the gate. */
export class GatedModel implements Model {
	readonly ref = "demo/scripted" as const;
	readonly label = "Gated";
	readonly #script: ScriptedModel;
	readonly #asked = Promise.withResolvers<void>();
	readonly #gate = Promise.withResolvers<void>();

	constructor(...replies: readonly ScriptedReply[]) {
		this.#script = new ScriptedModel(...replies);
	}

	/** Resolves when it is asked for the first time. */
	get asked(): Promise<void> {
		return this.#asked.promise;
	}

	get requests(): readonly ModelRequest[] {
		return this.#script.requests;
	}

	open(): void {
		this.#gate.resolve();
	}

	async *stream(request: ModelRequest): AsyncGenerator<ModelPart> {
		this.#asked.resolve();
		await this.#gate.promise;
		yield* this.#script.stream(request);
	}
}
