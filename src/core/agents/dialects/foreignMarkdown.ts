import { headOf, type AgentReading, type ParsedAgent } from "../agentFile.ts";
import { inFile, type TextProblem } from "../agentProblem.ts";
import { decodeSource } from "../decodeSource.ts";
import { placeProblems } from "../fieldProblem.ts";
import { findHiddenCharacters } from "../hiddenCharacters.ts";
import type { AgentDialect, AgentSource } from "./agentDialect.ts";
import { finishForeignAgent, type ForeignAgent } from "./foreignAgent.ts";
import { ForeignFields } from "./foreignFields.ts";
import { readLooseFrontmatter } from "./looseFrontmatter.ts";

export interface ForeignMarkdown {
	readonly dialect: Pick<AgentDialect, "id" | "title">;
	/** What the entries and the text below them mean. */
	readonly map: (fields: ForeignFields, body: string, source: AgentSource) => ForeignAgent;
	/** What a file without frontmatter is: an agent that is all prompt, or something else that lies there. */
	readonly withoutFrontmatter: "agent" | "note";
}

/** Reads a file of another program: frontmatter, and below it the prompt. Never throws, whatever the bytes are. */
export async function readForeignMarkdown(
	source: AgentSource,
	{ vocabulary, parse }: AgentReading,
	{ dialect, map, withoutFrontmatter }: ForeignMarkdown,
): Promise<ParsedAgent> {
	const { file } = source;
	const refuse = (problem: TextProblem) => ({ problems: [inFile(file, problem)] });
	const decoded = decodeSource(source.bytes);
	if ("problem" in decoded) return refuse(decoded.problem);
	const hidden = findHiddenCharacters(decoded.text);
	if (hidden !== undefined) return refuse(hidden);

	if (!decoded.text.startsWith("---")) {
		if (withoutFrontmatter === "note") return refuse(describeNote(dialect.title));
		const fields = new ForeignFields({}, dialect.title, vocabulary);
		const found = map(fields, decoded.text, source);
		return finishForeignAgent(dialect.id, source, fields, found, vocabulary, async (problems) =>
			problems.map(({ severity, code, message }) => inFile(file, { severity, code, message })),
		);
	}
	const read = await readLooseFrontmatter(decoded.text, parse);
	if ("problem" in read) return refuse(read.problem);
	const fields = new ForeignFields(read.data, dialect.title, vocabulary);
	const found = map(fields, read.body, source);
	const parsed = await finishForeignAgent(dialect.id, source, fields, found, vocabulary, (problems) =>
		placeProblems(file, read.text, problems),
	);
	return parsed.agent === undefined ? parsed : { ...parsed, head: headOf(read.text) };
}

function describeNote(title: string): TextProblem {
	return {
		severity: "information",
		code: "agent.note",
		message: `The file does not begin with \`---\`, so it is not an agent of ${title} but a note beside them. It is not loaded.`,
	};
}
