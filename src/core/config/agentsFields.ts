import * as z from "zod";
import {
	count,
	flag,
	mapOf,
	modelReference,
	names,
	oneOf,
	role,
	seconds,
	table,
	text,
	thinking,
} from "./configFields.ts";

const budget = table({
	tokens: z.exactOptional(count),
	usd: z.exactOptional(z.number("must be a number").positive("must be more than 0")),
	turns: z.exactOptional(count),
	toolCalls: z.exactOptional(count),
	spawns: z.exactOptional(count),
});

const allowTools = z.exactOptional(names.meta({ description: "Subagents get only these tools." }));
const denyTools = z.exactOptional(names.meta({ description: "Subagents never get these tools." }));
const model = z.exactOptional(modelReference.meta({ description: "`provider/model`." }));
const effort = z.exactOptional(thinking.meta({ description: "How much the model thinks." }));
const runTimeoutSeconds = z.exactOptional(
	seconds.meta({ description: "How long a run may take, from its start. Default 900; 0 is no limit." }),
);

/** `[agents.defaults.subagents]`: what holds for every subagent unless its agent or its call says otherwise. */
export const SubagentDefaults = table({
	maxConcurrent: z.exactOptional(
		count.max(64, "must be at most 64").meta({ description: "How many subagents run at once. More queue. Default 8." }),
	),
	roleMaxConcurrent: z.exactOptional(
		mapOf(count).meta({ description: "How many subagents of a role run at once, by role." }),
	),
	archiveAfterMinutes: z.exactOptional(
		z.int("must be a whole number").min(0, "must be 0 (never) or more").meta({
			description: "When a run that has ended and was announced goes to the archive. Default 60; 0 is never.",
		}),
	),
	model,
	thinking: effort,
	runTimeoutSeconds,
	maxTurns: z.exactOptional(count.meta({ description: "How many turns a run may take. Default 50." })),
	budget: z.exactOptional(budget.meta({ description: "What a run may use up." })),
	sessionBudget: z.exactOptional(
		budget.meta({ description: "What all runs of a session, and those that they spawn, may use up." }),
	),
	agentBudget: z.exactOptional(budget.meta({ description: "What all runs of one agent may use up in a day." })),
	dayBudget: z.exactOptional(budget.meta({ description: "What all runs may use up in a day." })),
	allowTools,
	denyTools,
});
export type SubagentDefaults = Readonly<z.infer<typeof SubagentDefaults>>;

const agentFields = {
	name: z.exactOptional(text.meta({ description: "What people read." })),
	default: z.exactOptional(flag.meta({ description: "Gets what no binding sends elsewhere." })),
	model,
	workspace: z.exactOptional(text.meta({ description: "The agent's own folder: its home layer, and where it works." })),
	systemPrompt: z.exactOptional(text.meta({ description: "What the agent is and how it works." })),
	role: z.exactOptional(role.meta({ description: "The role pack that it uses." })),
	sandbox: z.exactOptional(
		oneOf("trusted", "restricted").meta({
			description: "`restricted`: no writes, no shell, reads only in its workspace.",
		}),
	),
	tools: z.exactOptional(
		table({
			allow: z.exactOptional(names.meta({ description: "It has only these tools." })),
			deny: z.exactOptional(names.meta({ description: "It never has these tools." })),
		}),
	),
	authDir: z.exactOptional(text.meta({ description: "Not used: credentials are in Secret Storage, by agent." })),
	authFallback: z.exactOptional(
		oneOf("parent", "none").meta({ description: "Whether it may use the credentials of who spawned it." }),
	),
	subagents: z.exactOptional(
		table({
			allowAgents: z.exactOptional(names.meta({ description: "The agents that it may spawn; `*` is any." })),
			model,
			thinking: effort,
			runTimeoutSeconds,
			allowTools,
			denyTools,
		}).meta({ description: "What holds for the subagents that it spawns." }),
	),
};

/** `[[agents.list]]`: an agent that lives as long as the extension, with a main session of its own. */
export const StaticAgent = table({
	id: text
		.toLowerCase()
		.regex(/^[a-z0-9][a-z0-9_-]{0,63}$/u, "must be up to 64 letters, digits, _ and -")
		.meta({ description: "The name in keys and bindings." }),
	...agentFields,
});
export type StaticAgent = Readonly<z.infer<typeof StaticAgent>>;

/** `[agents]`. Seed 002's profiles are the list in another form: the id is the name of the table. */
export const Agents = table({
	defaults: z.exactOptional(table({ subagents: z.exactOptional(SubagentDefaults) })),
	list: z.exactOptional(z.array(StaticAgent, "must be a list of tables, [[agents.list]]")),
	profiles: z.exactOptional(mapOf(table(agentFields)).meta({ description: "Agents by id." })),
	defaultAgent: z.exactOptional(
		text.meta({ description: "The id of the agent that gets what no binding sends elsewhere." }),
	),
	onDuplicate: z.exactOptional(
		oneOf("fail", "projectWins").meta({
			description:
				"Which agent loads when the folder has one of the same name as yours: yours, with an error, or the folder's.",
		}),
	),
});
