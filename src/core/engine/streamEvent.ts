import type { Run } from "../runs/run.ts";
import type { NewEntry } from "../sessions/entry.ts";
import type { RunRegistry } from "./runRegistry.ts";
import type { Written } from "./transcriptWriter.ts";

/**
 * What a run whose request says `deliver` has just said or done, for the surfaces of the session that asked for it. Fired
 * when it is in the run's own transcript, in that order, by the process that executes the run; never stored elsewhere and
 * never in the requester's transcript. Without `deliver` there are only the run's stored events.
 */
export type StreamEvent = StreamFacts & {
	readonly at: number;
	readonly turn: number;
	readonly runId: string;
	readonly sessionId: string;
	readonly agentId: string;
	readonly parentRunId: string | null;
	readonly requesterSessionId: string | null;
};

type StreamFacts =
	/** What the model has said since the one before. */
	| { readonly type: "text"; readonly text: string }
	/** `input` is JSON. */
	| { readonly type: "tool-started"; readonly toolName: string; readonly callId: string; readonly input: string }
	| {
			readonly type: "tool-ended";
			readonly toolName: string;
			readonly callId: string;
			readonly isError: boolean;
			readonly result: string;
	  }
	/** The text of this turn does not count: the model is asked again. */
	| { readonly type: "withdrawn" };

/** What is to hear of each write into the run's transcript; undefined where nobody has asked for that. */
export function streamInto(registry: RunRegistry, run: Run): ((written: Written) => void) | undefined {
	if (!run.request.deliver) return undefined;
	const { id: runId, sessionId, agentId, parentRunId, requesterSessionId } = run;
	return (written) => {
		const facts = written.kind === "withdrawn" ? ({ type: "withdrawn" } as const) : factsOf(written);
		const { at, turn } = written;
		if (facts) registry.stream({ ...facts, at, turn, runId, sessionId, agentId, parentRunId, requesterSessionId });
	};
}

function factsOf({ kind, text, toolName, toolCallId, isError }: NewEntry): StreamFacts | undefined {
	const tool = { toolName: toolName ?? "", callId: toolCallId ?? "" };
	switch (kind) {
		case "text":
			return { type: "text", text };
		case "tool_call":
			return { type: "tool-started", ...tool, input: text };
		case "tool_result":
			return { type: "tool-ended", ...tool, isError, result: text };
		default:
			return undefined;
	}
}
