import type { ModelRequest } from "../../src/core/models/modelPort.ts";
import { ScriptedModel, type ScriptedReply } from "./scriptedModel.ts";

/** A model that answers main turns and subagents' turns from lists of their own. */
export class TwoFacedModel extends ScriptedModel {
	readonly #main: ScriptedModel;
	readonly #child: ScriptedModel;

	constructor(main: readonly ScriptedReply[], child: readonly ScriptedReply[]) {
		super();
		this.#main = new ScriptedModel(...main);
		this.#child = new ScriptedModel(...child);
	}

	get mainRequests(): readonly ModelRequest[] {
		return this.#main.requests;
	}

	get childRequests(): readonly ModelRequest[] {
		return this.#child.requests;
	}

	override stream(request: ModelRequest) {
		return (request.system.includes("# Subagent Context") ? this.#child : this.#main).stream(request);
	}
}
