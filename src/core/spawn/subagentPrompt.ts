import type { AgentDefinition } from "../agents/agentDefinition.ts";
import { mainAgent } from "../agents/mainAgent.ts";
import { planModeMarker } from "../models/demoPlanMode.ts";
import type { Run } from "../runs/run.ts";

export interface Environment {
	/** Null when no folder is open. */
	readonly folder: string | null;
	readonly platform: string;
	/** As YYYY-MM-DD. */
	readonly date: string;
}

/** What a system prompt is made of beside the agent's own words. Empty parts are left out. */
export interface PromptParts {
	readonly environment: Environment;
	/** What the project says to everybody who works in it. */
	readonly projectRules?: string;
	readonly skillCatalog?: string;
	/** The skills that the agent's file names, with their text, or why there is none. */
	readonly preloadedSkills?: string;
	/** For main agents: whom they can send. */
	readonly availableSubagents?: string;
}

/** The most of a task that is told twice: the whole of it is in the first message. */
const mostOfTask = 1_000;

/** What an agent is, where it works, what it may call on, and last, byte for byte, what its file says. */
export function composeSystemPrompt(agent: AgentDefinition, run: Run, parts: PromptParts): string {
	const { environment, projectRules = "", skillCatalog = "", preloadedSkills = "", availableSubagents = "" } = parts;
	const isSubagent = run.kind === "subagent";
	const surroundings = [describeEnvironment(environment), projectRules, skillCatalog, preloadedSkills];
	return [
		...(isSubagent ? [subagentContext(run.task), requestFor(agent, run)] : []),
		...surroundings,
		...(isSubagent ? [] : [availableSubagents]),
		// A main agent's helper must not read that it is the main agent.
		...(isSubagent && agent.prompt === mainAgent.prompt ? [] : [agent.prompt]),
	]
		.filter((part) => part !== "")
		.join("\n\n");
}

/** What the final message is to be. */
function requestFor(agent: AgentDefinition, run: Run): string {
	if (run.request.planMode) return planMode;
	return agent.emitStructuredFindings === true ? `${findingsRequest}\n\n${summaryRequest}` : summaryRequest;
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
- You were created to handle: ${onOneLine(task)}
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
- NO pretending to be the main agent`;
}

/** No task can pass for a heading or a rule of the prompt. */
function onOneLine(task: string): string {
	const line = task.trim().replaceAll(/\s+/gu, " ");
	if (line === "") return "the task in the first message";
	return line.length > mostOfTask ? `${line.slice(0, mostOfTask)}… (the first message has all of it)` : line;
}

const summaryRequest =
	"End your final message with one line that begins with `SUMMARY:` and says in at most 200 characters what you found or did.";

const findingsRequest = `In your final message, before the \`SUMMARY:\` line, list what you have found in one code block of this form. \`claim\` is one sentence that can be checked, \`evidence\` is what shows it, such as a file with its line, and \`confidence\` is a number from 0 to 1. Where you have found nothing, the list is empty.

\`\`\`findings
[{ "claim": "The cart rounds down", "evidence": "src/cart.ts:12 calls Math.floor", "confidence": 0.9 }]
\`\`\``;

const planMode = `${planModeMarker}
You are planning. Your tools only read, and nothing may be changed, created or run before your plan is approved: do the research, and put everything else into the plan. Do not ask whether to go on; the approval decides it.

Your final message is the plan, in Markdown: what is to be done, step by step, and why. After the steps comes one line that begins with \`SUMMARY:\` and says in at most 200 characters what the plan does. The last two sections are the scope of the approval, and nothing follows them:

\`\`\`
SUMMARY: Rounds the cart's totals to cents

## Files
- \`src/cart.ts\`
- \`test/cart/**\`

## Commands
- \`npm test\`
\`\`\`

\`## Files\` lists what will be written, \`## Commands\` what will be run. Each line is a list item with exactly one code span and nothing else: a path or a glob below the workspace folder, or one literal command. Leave a section empty when it has nothing.`;

function describeEnvironment({ folder, platform, date }: Environment): string {
	return [
		"# Environment",
		`- Workspace folder: ${folder ?? "none is open"}`,
		`- Platform: ${platform}`,
		`- Date: ${date}`,
	].join("\n");
}
