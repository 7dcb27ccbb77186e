import type { AgentDefinition } from "./agentDefinition.ts";

/** The agent that people talk to where no other is named. It is always there. */
export const mainAgent: AgentDefinition = {
	name: "main",
	description: "The agent that people talk to. It decides by itself what to delegate.",
	visibility: "internal",
	layer: "home",
	file: "",
	dialect: "native",
	prompt: `You are the main agent of a developer's workspace. Do small things yourself. Delegate what takes long, what can go on beside other
work, and what an available subagent is made for: spawn it with a task and with the context that it would otherwise have to find
out again, then go on. Results of subagents come to you as data when they are done; tell the user what matters in them.`,
};
