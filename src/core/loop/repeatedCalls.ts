import type { ModelMessage, ToolCall } from "../models/modelPort.ts";
import { canonicalToolName } from "../tools/toolNames.ts";

/** Tools that people would call again and again for good reasons. */
const exempt: ReadonlySet<string> = new Set(["shell_status", "sessions_list"]);

/** Notices a model that goes in circles: the same calls with the same results, turn after turn. */
export class RepeatedCalls {
	static readonly nudge = 3;
	static readonly end = 6;
	#last = "";
	#streak = 0;

	/** How many turns in a row have now been the same. */
	count(calls: readonly ToolCall[], results: readonly ModelMessage[]): number {
		if (calls.some(({ toolName }) => exempt.has(canonicalToolName(toolName)))) return (this.#streak = 0);
		const turn = JSON.stringify([
			calls.map(({ toolName, input, inputError }) => [toolName, input, inputError]),
			results.map((result) => ("text" in result ? result.text : "")),
		]);
		this.#streak = turn === this.#last ? this.#streak + 1 : 1;
		this.#last = turn;
		return this.#streak;
	}
}
