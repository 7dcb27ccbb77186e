import type { AgentDefinition, AgentOrigin } from "./agentDefinition.ts";
import { findFieldProblems } from "./agentFieldProblems.ts";
import { AgentFields } from "./agentFields.ts";
import { inFile, type AgentProblem, type TextProblem } from "./agentProblem.ts";
import { readToolLists } from "./agentToolProblems.ts";
import type { AgentVocabulary } from "./agentVocabulary.ts";
import { placeProblems, type FieldProblem } from "./fieldProblem.ts";
import { loadFrontmatterParser, type FrontmatterParser } from "./frontmatter.ts";
import { findHiddenCharacters } from "./hiddenCharacters.ts";
import { placeYamlProblem } from "./placeYamlProblem.ts";
import { prescan } from "./prescan.ts";

export interface ParsedAgent {
	/** Absent when one of the problems is an error. */
	readonly agent?: AgentDefinition;
	/** Of an agent, the frontmatter between its fences, for problems that other files make. */
	readonly head?: string;
	readonly problems: readonly AgentProblem[];
}

/** What it takes to read agent files. */
export interface AgentReading {
	readonly vocabulary: AgentVocabulary;
	readonly parse: FrontmatterParser;
}

/**
 * Reads one agent file in Muster's own format: YAML frontmatter, and below it the prompt. Never throws, whatever the
 * bytes are; reports every mistake at once, with its place. Leaves to `discoverAgents` what takes more than one file.
 */
export async function parseAgentFile(
	origin: AgentOrigin,
	source: Uint8Array | string,
	vocabulary: AgentVocabulary,
): Promise<ParsedAgent> {
	return readAgentFile(origin, source, { vocabulary, parse: await loadFrontmatterParser() });
}

/** The same with a parser that is loaded already, for many files. */
export async function readAgentFile(
	origin: AgentOrigin,
	source: Uint8Array | string,
	{ vocabulary, parse }: AgentReading,
): Promise<ParsedAgent> {
	const { file } = origin;
	const refuse = (problem: TextProblem) => ({ problems: [inFile(file, problem)] });
	const scanned = prescan(typeof source === "string" ? Buffer.from(source) : source);
	if (!scanned.isSafe) return refuse(scanned.problem);
	const { text } = scanned;
	const hidden = findHiddenCharacters(text);
	if (hidden !== undefined) return refuse(hidden);
	const frontmatter = parse(text);
	if ("problem" in frontmatter) return refuse(await placeYamlProblem(frontmatter.problem, text));

	const { data, problems: notes } = readToolLists(frontmatter.data);
	const fields = AgentFields.safeParse(data);
	const found = [
		...notes,
		...findFieldProblems(data, fields.error?.issues ?? [], vocabulary, file),
		...(frontmatter.body.trim() === "" ? [emptyBody] : []),
	];
	const problems = await placeProblems(file, text, found);
	if (!fields.success || problems.some(({ severity }) => severity === "error")) return { problems };
	const agent = { ...fields.data, prompt: frontmatter.body, dialect: "native", ...origin } as const;
	return { agent, head: headOf(text), problems };
}

/** The frontmatter of a safe text, both fences included. */
export function headOf(text: string): string {
	return text.slice(0, text.indexOf("\n---", 3) + 4);
}

const emptyBody: FieldProblem = {
	severity: "error",
	code: "agent.emptyBody",
	message: "There is no text below the frontmatter. Write there what the agent is and how it works.",
	path: [],
	part: "body",
};
