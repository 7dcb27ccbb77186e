import type { AgentDefinition } from "../agents/agentDefinition.ts";
import { mainAgent } from "../agents/mainAgent.ts";
import type { Run } from "../runs/run.ts";

export interface Environment {
	/** Null when no folder is open. */
	readonly folder: string | null;
	readonly platform: string;
	/** As YYYY-MM-DD. */
	readonly date: string;
}

/** A subagent's system prompt: what it is, where it works, and last, byte for byte, what its file says. */
export function composeSystemPrompt(agent: AgentDefinition, run: Run, environment: Environment): string {
	const place = describeEnvironment(environment);
	if (run.kind !== "subagent") return [place, agent.prompt].join("\n\n");
	// A main agent's helper must not read that it is the main agent.
	const own = agent === mainAgent ? [] : [agent.prompt];
	return [subagentContext(run.task), place, ...own].join("\n\n");
}

/** The first user message. Without context it is exactly the task. */
export function composeFirstMessage(task: string, context: string | null): string {
	if (context === null || context.trim() === "") return task;
	return `Context:\n${context}\n\nTask:\n${task}`;
}

function subagentContext(task: string): string {
	return `# Subagent Context

You are a **subagent** spawned by the main agent for a specific task.

## Your Role
- You were created to handle: ${task}
- Complete this task. That's your entire purpose.
- You are NOT the main agent. Don't try to be.

## Rules
1. **Stay focused** - Do your assigned task, nothing else
2. **Complete the task** - Your final message will be automatically reported to the main agent
3. **Don't initiate** - No heartbeats, no proactive actions, no side quests
4. **Be ephemeral** - You may be terminated after task completion. That's fine.

## What You DON'T Do
- NO user conversations (that's main agent's job)
- NO external messages unless explicitly tasked
- NO cron jobs or persistent state
- NO pretending to be the main agent

End your final message with one line that begins with \`SUMMARY:\` and says in at most 200 characters what you found or did.`;
}

function describeEnvironment({ folder, platform, date }: Environment): string {
	return [
		"# Environment",
		`- Workspace folder: ${folder ?? "none is open"}`,
		`- Platform: ${platform}`,
		`- Date: ${date}`,
	].join("\n");
}
