import type { Run } from "../runs/run.ts";

/** Given at once, before the run starts. A refusal leaves no record. */
export type SpawnAnswer = AcceptedSpawn | RefusedSpawn;

export interface AcceptedSpawn {
	readonly status: "accepted";
	readonly accepted: true;
	readonly runId: string;
	readonly childSessionKey: string;
	readonly sessionKey: string;
	readonly sessionId: string;
	readonly lane: string;
	readonly queuePosition: number;
	readonly resolvedModel: string;
	/** Whether what was asked for is what runs. */
	readonly modelApplied: boolean;
	readonly warning?: string;
	/** Only after waiting: how it ended. */
	readonly result?: SpawnResult;
	/** It was waited for, and it is not done yet: it announces when it is. */
	readonly waitExpired?: true;
	readonly run_id: string;
	readonly child_session_key: string;
	readonly subRunId: string;
	readonly subSessionId: string;
}

export interface SpawnResult {
	readonly state: Run["state"];
	readonly summary: string | null;
	readonly error: string | null;
	readonly usage: Run["usage"];
}

export interface RefusedSpawn {
	/** `forbidden`: it may not; `rejected`: not now; `error`: the call is wrong. */
	readonly status: "forbidden" | "rejected" | "error";
	readonly accepted: false;
	/** What happened, and what to do. */
	readonly error: string;
	/** With `rejected`: the oldest runs that could make room. */
	/** What is used up is a budget, which a person can let this run go over. */
	readonly isOverBudget?: true;
	readonly removable?: readonly { readonly runId: string; readonly label: string; readonly state: Run["state"] }[];
}

export function refuse(
	status: RefusedSpawn["status"],
	error: string,
	removable?: RefusedSpawn["removable"],
): RefusedSpawn {
	return { status, accepted: false, error, ...(removable && { removable }) };
}

export function accept(
	run: Run,
	facts: { readonly queuePosition: number; readonly modelApplied: boolean; readonly warnings: readonly string[] },
): AcceptedSpawn {
	const { id, sessionId, sessionKey, lane, model } = run;
	return {
		status: "accepted",
		accepted: true,
		runId: id,
		childSessionKey: sessionKey,
		sessionKey,
		sessionId,
		lane,
		queuePosition: facts.queuePosition,
		resolvedModel: model,
		modelApplied: facts.modelApplied,
		...(facts.warnings.length > 0 && { warning: facts.warnings.join(" ") }),
		run_id: id,
		child_session_key: sessionKey,
		subRunId: id,
		subSessionId: sessionId,
	};
}

export function resultOf({ state, summary, error, usage }: Run): SpawnResult {
	return { state, summary, error, usage };
}
