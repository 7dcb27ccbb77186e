import { inFile, type TextProblem } from "../agents/agentProblem.ts";
import type { FileProblem } from "../base/fileProblem.ts";

/** What there is to say about one skill. After an error it does not load; the rest only tell. */
export type SkillProblem = FileProblem;

/** These name agent files where they are about skills. */
const skillMessages: Readonly<Record<string, string>> = {
	"agent.depth": "The frontmatter is nested too deeply. A skill needs two levels.",
	"agent.alias":
		"`&` or `*` begins a YAML anchor or alias here, which skills may not use. Write the value out, or put it in quotes if it is text.",
};

/** What the readers of frontmatter, which agents and skills share, found wrong with a skill's file. */
export function toSkillProblem(problem: TextProblem, file: string): SkillProblem {
	const code = problem.code.replace(/^agent\./u, "skill.");
	return { ...inFile(file, problem), code, message: skillMessages[problem.code] ?? problem.message };
}
