import type { HostId, RunId, SessionId } from "../base/ids.ts";
import type { Work } from "./budget.ts";
import type { Finding } from "./finding.ts";
import type { RunRequest } from "./runRequest.ts";
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
	/** Who is told how it ended; null for a turn that nobody spawned. */
	readonly requesterSessionId: SessionId | null;
	readonly parentRunId: RunId | null;
	/** The process that accepted it and executes it. */
	readonly hostId: HostId;
	readonly kind: "main" | "subagent";
	readonly lane: Lane;
	readonly cause: RunCause;
	readonly agentId: string;
	readonly role: string | null;
	readonly label: string | null;
	readonly task: string;
	/** `provider/model`: what it was given at spawn, then what really answered. */
	readonly model: string;
	readonly request: RunRequest;
	readonly announceForm: AnnounceForm;
	readonly cleanup: "keep" | "delete";
	readonly state: RunState;
	/** `parked`: it waits for someone to resume it, because its process ended before it started, or because of `parkedBecause`. `paused`: somebody paused it. */
	readonly hold: "parked" | "paused" | null;
	/** Higher goes first in its lane. */
	readonly priority: number;
	/** Its place among equals; lower goes first. */
	readonly place: number;
	/** Since when it waits for a slot to go on, after it had waited or was paused. */
	readonly wantsSince: number | null;
	/** Somebody asked it to stop; its host acts on it. */
	readonly stopRequestedAt: number | null;
	readonly queuedAt: number;
	readonly startedAt: number | null;
	readonly endedAt: number | null;
	readonly usage: Usage;
	/** What it has done, as far as that is on record. */
	readonly work: Work;
	readonly summary: string | null;
	/** Of a run that succeeded and whose agent is asked for them. */
	readonly findings?: readonly Finding[];
	readonly error: string | null;
	/** What kind of failure of its model ended it, e.g. `auth`. */
	readonly failure?: string | null;
	/** Why it is parked, where that is not the end of its window. */
	readonly parkedBecause?: string | null;
	/** Its result did not reach who asked for it, and waits for a person to retry or dismiss it. */
	readonly undelivered: "blocked" | "dead_letter" | null;
	/** Out of the lists and the limits, still readable. */
	readonly archivedAt: number | null;
	/** Grows with each thing that happens to it: of two records of a run, the one with less is out of date. */
	readonly revision: number;
}

/** Why there is this run. */
export type RunCause = "spawn" | "send" | "resume" | "plan" | "turn" | "wake";

/** How the requester hears of the end; `none` = not at all. */
export type AnnounceForm = "compact" | "full" | "silent" | "none";

/** The label, else the first line of the task. */
export function titleOf(run: Pick<Run, "label" | "task">): string {
	return run.label ?? run.task.trim().split("\n", 1)[0]?.slice(0, 80) ?? "";
}
