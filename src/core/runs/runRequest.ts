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
	/** Streams the child's text to the parent's surfaces as tagged events. */
	readonly deliver: boolean;
	readonly isolation: "none" | "scratch";
	readonly repoDir: string | null;
	readonly mcpConfigPath: string | null;
	readonly budget: Budget | null;
	/** The approved plan that it carries out. */
	readonly planId?: string;
	/** Rules that the person who started it gave along. No model can. */
	readonly allow?: readonly string[];
	/** What to do where a person would have to be asked, instead of what the agent's file says. */
	readonly onAsk?: "inbox" | "deny";
}

/** Upper limits; an absent one does not limit. */
export interface Budget {
	readonly tokens?: number;
	readonly usd?: number;
	readonly turns?: number;
	readonly toolCalls?: number;
	readonly spawns?: number;
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
