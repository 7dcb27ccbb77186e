import type { HostId, RunId, SessionId } from "../base/ids.ts";
import type { RunState } from "./runState.ts";

export type Lane = "main" | "subagent";

export interface Usage {
	readonly inputTokens: number;
	readonly outputTokens: number;
	readonly cacheReadTokens: number;
	readonly reasoningTokens: number;
	/** `null` = the price is not known. */
	readonly usd: number | null;
	readonly estimated: boolean;
}

export const noUsage: Usage = {
	inputTokens: 0,
	outputTokens: 0,
	cacheReadTokens: 0,
	reasoningTokens: 0,
	usd: 0,
	estimated: false,
};

/** One execution of an agent for one task, as the store has it. */
export interface Run {
	readonly id: RunId;
	readonly sessionId: SessionId;
	readonly sessionKey: string;
	readonly requesterSessionId: SessionId;
	readonly parentRunId: RunId | null;
	/** The process that accepted it and executes it. */
	readonly hostId: HostId;
	readonly kind: "main" | "subagent";
	readonly lane: Lane;
	readonly agentId: string;
	readonly label: string | null;
	readonly task: string;
	readonly context: string | null;
	readonly model: string;
	readonly state: RunState;
	/** `parked`: its process ended before it started; it waits for someone to resume it. */
	readonly hold: "parked" | "paused" | null;
	readonly queuedAt: number;
	readonly startedAt: number | null;
	readonly endedAt: number | null;
	readonly usage: Usage;
	readonly summary: string | null;
	readonly error: string | null;
}

/** The label, else the first line of the task. */
export function titleOf(run: Pick<Run, "label" | "task">): string {
	return run.label ?? run.task.trim().split("\n", 1)[0]?.slice(0, 80) ?? "";
}
