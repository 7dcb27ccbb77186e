import type { RunId, SessionId } from "../base/ids.ts";
import type { Surface } from "./approval.ts";

/** `failed`: its run did not come to its end; what there is of it can be read, and nobody can approve it. */
export type PlanState = "awaiting" | "approved" | "rejected" | "closed" | "failed";

/** What a run in plan mode ended with, as the store has it. It is decided once. */
export interface Plan {
	readonly id: string;
	readonly runId: RunId;
	readonly sessionId: SessionId;
	readonly sessionKey: string;
	readonly agentId: string;
	/** The label or the first line of the task. */
	readonly title: string;
	readonly state: PlanState;
	/** The last saved revision: counted from 1. */
	readonly revision: number;
	readonly text: string;
	/** Of the last revision: what is approved is this text and no other. */
	readonly hash: string;
	readonly author: "agent" | "user";
	readonly createdAt: number;
	readonly decidedBy: Surface | "agent" | null;
	readonly decidedPid: number | null;
	readonly decidedAt: number | null;
	/** Why it was rejected. */
	readonly reason: string | null;
	/** The plan that was made instead. */
	readonly successorId: string | null;
	/** The run that carries it out. */
	readonly carriedOutBy: RunId | null;
}

export interface PlanRevision {
	readonly revision: number;
	readonly text: string;
	readonly hash: string;
	readonly author: "agent" | "user";
	readonly at: number;
}

/** A remark on a line of a plan, which becomes a reason when the plan is rejected. */
export interface PlanComment {
	readonly id: string;
	readonly planId: string;
	/** The revision that it was written on. */
	readonly revision: number;
	/** From 1. */
	readonly line: number;
	/** The line as it was. */
	readonly quoted: string;
	readonly text: string;
	readonly at: number;
}
