import type { Finding } from "./finding.ts";
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
	readonly taskId?: string;
	readonly metadata?: Readonly<Record<string, string>>;
};

export type Delivery = "delivered" | "not_required" | "blocked" | "dead_letter";

export type RunEventFacts =
	| { readonly type: "subagent.spawned"; readonly answer?: unknown }
	| { readonly type: "subagent.queued"; readonly queuePosition: number }
	| { readonly type: "subagent.started"; readonly model: string }
	| {
			readonly type: "subagent.progressed";
			readonly turn: number;
			readonly tool: string | null;
			readonly usage: Usage;
	  }
	| { readonly type: "subagent.waiting"; readonly reason: "approval" | "children" }
	| { readonly type: "subagent.resumed" }
	| { readonly type: "subagent.paused" }
	| {
			readonly type: "subagent.ended";
			readonly state: TerminalState;
			readonly usage: Usage;
			readonly summary: string | null;
	  }
	| { readonly type: "subagent.failed"; readonly state: TerminalState; readonly error: string | null }
	| {
			readonly type: "subagent.announced";
			readonly delivery: Delivery;
			readonly status: TerminalState;
			readonly sessionKey: string;
			readonly durationMs: number;
			readonly error: string | null;
			readonly usage: Usage;
			readonly findings?: readonly Finding[];
	  }
	| { readonly type: "subagent.removed" };

export function runEvent(run: Run, at: number, facts: RunEventFacts): RunEvent {
	const { taskId, metadata } = run.request;
	return {
		...facts,
		at,
		runId: run.id,
		sessionId: run.sessionId,
		agentId: run.agentId,
		runKind: run.kind,
		lane: run.lane,
		parentRunId: run.parentRunId,
		...(taskId !== null && { taskId }),
		...(metadata !== null && { metadata }),
	};
}

/** The fact that the requester has been told, or why not. */
export function announcedEvent(run: Run, at: number, delivery: Delivery): RunEvent {
	return runEvent(run, at, {
		type: "subagent.announced",
		delivery,
		status: run.state as TerminalState,
		sessionKey: run.sessionKey,
		durationMs: Math.max(0, (run.endedAt ?? at) - (run.startedAt ?? run.endedAt ?? at)),
		error: run.error,
		usage: run.usage,
		...(run.findings && { findings: run.findings }),
	});
}
