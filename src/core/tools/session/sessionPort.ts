import type { Run } from "../../runs/run.ts";
import type { Entry } from "../../sessions/entry.ts";

/** The engine's answer to a spawn, plain JSON, as far as its tool looks into it. */
export interface SpawnReply {
	readonly accepted: boolean;
	/** With a refusal. */
	readonly error?: string;
	/** What is used up is a budget, which a person can let this one go over. */
	readonly isOverBudget?: true;
}

/** What the session tools of one run need of the engine. Everything is seen and done on behalf of that run's session. */
export interface SessionPort {
	/** Any parameters. `isOverBudget`: a person has let this one begin although a budget is used up. */
	spawn(parameters: unknown, toolCallId: string, isOverBudget?: boolean): Promise<SpawnReply>;
	/** The runs that this session has asked for and that still count, oldest first. */
	children(): Promise<readonly Run[]>;
	/** One of them, by the unique beginning of its id, or by its session's key or id. Rejects with the reason. */
	child(target: string): Promise<Run>;
	lastEntries(run: Run, limit: number): Promise<readonly Entry[]>;
	/** Says something to it, waits so long for the answer, and gives what there is. */
	send(run: Run, message: string, waitSeconds: number): Promise<unknown>;
	stop(run: Run): Promise<void>;
	remove(run: Run): Promise<void>;
	/** Waits until one of the children has ended, or the time is over; gives up the run's slot meanwhile. */
	yield(seconds: number): Promise<void>;
	agents(): Promise<
		readonly { readonly name: string; readonly description: string; readonly tools: readonly string[] }[]
	>;
}
