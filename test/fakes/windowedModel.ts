import type { ModelPart, ModelRequest } from "../../src/core/models/modelPort.ts";
import { ScriptedModel, type ScriptedReply } from "./scriptedModel.ts";

/** Whether a request is for a summary of older turns. */
export function asksForSummary({ system }: ModelRequest): boolean {
	return system.startsWith("You summarise");
}

/** A model with a window that counts what it reads. It answers requests for a summary from a list of their own. */
export class WindowedModel extends ScriptedModel {
	readonly contextWindow: number;
	/** The tokens of all requests together. */
	spent = 0;
	readonly #summaries: ScriptedModel;

	constructor(contextWindow: number, replies: readonly ScriptedReply[], summaries: readonly ScriptedReply[]) {
		super(...replies);
		this.contextWindow = contextWindow;
		this.#summaries = new ScriptedModel(...summaries);
	}

	get summaryRequests(): readonly ModelRequest[] {
		return this.#summaries.requests;
	}

	override async *stream(request: ModelRequest): AsyncGenerator<ModelPart> {
		const { system, messages, tools } = request;
		const total = Math.ceil(JSON.stringify([system, messages, tools]).length / 4);
		const parts = asksForSummary(request) ? this.#summaries.stream(request) : super.stream(request);
		for await (const part of parts) {
			if (part.type !== "finish") yield part;
			else {
				this.spent += total;
				yield { ...part, usage: { ...part.usage, inputTokens: { total, cacheRead: 0 } } };
			}
		}
	}
}
