import type { Budget } from "./budget.ts";

/** What was asked of a run, as it is kept on the record. Nothing here decides about its place or its state. */
export interface RunRequest {
	readonly context: string | null;
	/** A person's or a model's own id for the work, echoed in events; never in the prompt. */
	readonly taskId: string | null;
	readonly metadata: Readonly<Record<string, string>> | null;
	/** What the call asked for; the run's `model` is what it got. */
	readonly requestedModel: string | null;
	readonly thinking: "low" | "medium" | "high" | null;
	readonly planMode: boolean;
	/** Wall clock from the start; 0 = none. */
	readonly runTimeoutSeconds: number;
	/** Streams its text and tool calls to the requester's surfaces as tagged events: `RunRegistry.onDidStream`. */
	readonly deliver: boolean;
	readonly isolation: "none" | "scratch";
	readonly repoDir: string | null;
	readonly mcpConfigPath: string | null;
	/** What it may use up by itself. */
	readonly budget: Budget | null;
	/** A person has let it begin, or go on, although what it shares with others is used up. */
	readonly isOverBudget?: boolean;
	/** The approved plan that it carries out. */
	readonly planId?: string;
	/** It changes nothing and runs no commands, because who spawned it is restricted, or its agent was. */
	readonly isRestricted?: boolean;
	/** Whose keys its requests carry; by names, never the keys. */
	readonly keys?: { readonly agents: readonly string[]; readonly isShared: boolean };
	/** The tools that who spawned it leaves it. */
	readonly toolLists?: {
		readonly tools?: readonly string[];
		readonly disallowedTools?: readonly string[];
		readonly limits?: readonly (readonly string[])[];
	};
	/** Its agent's file is one of the pack of its role. */
	readonly isPacksAgent?: boolean;
	/** Rules that the person who started it gave along. No model can. */
	readonly allow?: readonly string[];
	/** What to do where a person would have to be asked, instead of what the agent's file says. */
	readonly onAsk?: "inbox" | "deny";
}

export const defaultRunTimeoutSeconds = 900;

export const plainRequest: RunRequest = {
	context: null,
	taskId: null,
	metadata: null,
	requestedModel: null,
	thinking: null,
	planMode: false,
	runTimeoutSeconds: defaultRunTimeoutSeconds,
	deliver: false,
	isolation: "none",
	repoDir: null,
	mcpConfigPath: null,
	budget: null,
};
