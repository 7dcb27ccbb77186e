import type { AgentDefinition } from "../agents/agentDefinition.ts";
import { describeAvailableSubagents } from "../agents/availableSubagents.ts";
import { usualContextWindow, type Model } from "../models/modelPort.ts";
import type { Logger } from "../ports/logger.ts";
import type { Run } from "../runs/run.ts";
import { activateSkill } from "../skills/activateSkill.ts";
import type { Skill } from "../skills/skill.ts";
import { renderSkillCatalog } from "../skills/skillCatalog.ts";
import { readProjectRules } from "../spawn/projectRules.ts";
import { composeSystemPrompt } from "../spawn/subagentPrompt.ts";
import type { RunDefinition, Toolbox } from "./runExecutor.ts";

/** Skills may take a fiftieth of the window, at four characters a token, and never more than this many characters. */
const mostOfCatalog = 40_000;
const catalogShare = 0.02 * 4;
const mostOfSkill = 50_000;

export interface Brief {
	readonly model: Model;
	readonly logger: Logger;
	/** As YYYY-MM-DD. */
	readonly date: string;
}

/** The system prompt of a run, from what is on disk as it starts. Says nothing of tools that the run does not have. */
export async function composeBrief(
	run: Run,
	{ agent, agents, skills, isTrusted }: RunDefinition,
	{ tools, root }: Pick<Toolbox, "tools" | "root">,
	{ model, logger, date }: Brief,
): Promise<string> {
	const has = (...names: readonly string[]) => tools.some(({ name }) => names.includes(name));
	// A run in a folder that is not trusted can't begin; what is read here does not rely on it.
	const rules = root !== null && isTrusted ? await readProjectRules(root) : { text: "", problems: [] };
	for (const problem of rules.problems) logger.warn(problem, { runId: run.id });
	const budget = Math.min(mostOfCatalog, Math.floor((model.contextWindow ?? usualContextWindow) * catalogShare));
	return composeSystemPrompt(agent, run, {
		environment: { folder: root, platform: process.platform, date },
		projectRules: rules.text,
		skillCatalog: has("skill") ? renderSkillCatalog(skills, budget) : "",
		preloadedSkills: await describePreloaded(agent, skills),
		availableSubagents: has("spawn_agent", "sessions_spawn") ? (describeAvailableSubagents(agents) ?? "") : "",
	});
}

/** The skills that an agent's file names: their text, or that there is none. Their limits hold once `skill` loads them. */
async function describePreloaded({ skills: names = [] }: AgentDefinition, skills: readonly Skill[]): Promise<string> {
	const parts = await Promise.all([...new Set(names)].map((name) => describeSkill(name, skills)));
	return parts.join("\n\n");
}

async function describeSkill(name: string, skills: readonly Skill[]): Promise<string> {
	const heading = `# Skill: ${name}`;
	const skill = skills.find((each) => each.name === name) ?? skills.find((each) => each.name === name.toLowerCase());
	if (!skill) return `${heading}\n\nYour file names this skill, and it is not there. Go on without it, and say so.`;
	const activated = await activateSkill(skill);
	if (!activated.ok) return `${heading}\n\n${activated.reason}`;
	const { folder, body } = activated;
	const text = body.trim();
	const shown = text.length > mostOfSkill ? `${text.slice(0, mostOfSkill)}…\n\n[Cut off: load it with skill.]` : text;
	return `${heading}\n\nPaths in it are relative to ${folder}.\n\n${shown}`;
}
