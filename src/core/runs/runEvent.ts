import type { Usage, Run } from "./run.ts";
import type { TerminalState } from "./runState.ts";

/** A fact about a run, plain JSON. Stored in the transaction that makes it true, and fired only after the commit. */
export type RunEvent = RunEventFacts & {
	readonly at: number;
	readonly runId: string;
	readonly sessionId: string;
	readonly agentId: string;
	readonly runKind: Run["kind"];
	readonly lane: string;
	readonly parentRunId: string | null;
};

export type RunEventFacts =
	| { readonly type: "subagent.spawned" }
	| { readonly type: "subagent.queued"; readonly queuePosition: number }
	| { readonly type: "subagent.started"; readonly model: string }
	| {
			readonly type: "subagent.ended";
			readonly state: TerminalState;
			readonly usage: Usage;
			readonly summary: string | null;
	  }
	| { readonly type: "subagent.failed"; readonly state: TerminalState; readonly error: string | null }
	| { readonly type: "subagent.announced"; readonly delivery: "delivered" | "dead_letter" };

export function runEvent(run: Run, at: number, facts: RunEventFacts): RunEvent {
	return {
		...facts,
		at,
		runId: run.id,
		sessionId: run.sessionId,
		agentId: run.agentId,
		runKind: run.kind,
		lane: run.lane,
		parentRunId: run.parentRunId,
	};
}
