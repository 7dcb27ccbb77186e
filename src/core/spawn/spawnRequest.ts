import * as z from "zod";

/** What it takes to spawn. More parameters come with the engine; an unknown one is an error, never ignored. */
export const SpawnRequest = z.strictObject({
	agent: z.string().min(1, "name the agent"),
	task: z.string().refine((task) => task.trim() !== "", "say what the subagent is to do"),
	/** Facts for this one call; goes into the first message, never into the system prompt. */
	context: z.string().optional(),
	label: z.string().max(200).optional(),
});
export type SpawnRequest = z.infer<typeof SpawnRequest>;

/** Given at once, before the run starts. A refusal leaves no record. */
export type SpawnAnswer =
	| {
			readonly status: "accepted";
			readonly accepted: true;
			readonly runId: string;
			readonly childSessionKey: string;
			readonly sessionKey: string;
			readonly sessionId: string;
			readonly lane: string;
			readonly queuePosition: number;
			readonly resolvedModel: string;
			readonly modelApplied: boolean;
			readonly warning?: string;
	  }
	| { readonly status: "forbidden" | "rejected" | "error"; readonly accepted: false; readonly error: string };
