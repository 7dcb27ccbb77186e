import { readAgentFile, type AgentReading, type ParsedAgent } from "../agentFile.ts";
import type { AgentProblem } from "../agentProblem.ts";
import type { Fix } from "../../base/textEdit.ts";
import { decodeSource } from "../decodeSource.ts";
import type { AgentDialect, AgentSource } from "./agentDialect.ts";
import { clineDialect } from "./clineDialect.ts";
import { codexDialect } from "./codexDialect.ts";
import { convertAgent } from "./convertAgent.ts";
import { guessDialect } from "./guessDialect.ts";
import { readLooseFrontmatter } from "./looseFrontmatter.ts";
import { vscodeDialect } from "./vscodeDialect.ts";

/** Muster's own format, and the only one that a role pack has. */
export const nativeDialect: AgentDialect = {
	id: "native",
	title: "Muster",
	depth: 0,
	folders: () => [".agents/agents"],
	// Agents of others that were moved here lie there as they are named elsewhere; see `readMovedFile`.
	matches: (name) => /\.(?:md|toml|ya?ml)$/u.test(name),
	async read(source, reading) {
		if (!source.file.endsWith(".md")) return readMovedFile(source, reading);
		const { layer, file, bytes } = source;
		const parsed = await readAgentFile({ layer, file }, bytes, reading);
		return parsed.agent === undefined ? addConversion(parsed, source, reading) : parsed;
	},
};

/** A file that is no Markdown is an agent of another program, or nobody's business here. */
async function readMovedFile(source: AgentSource, reading: AgentReading): Promise<ParsedAgent> {
	const { file } = source;
	const dialect = file.endsWith(".toml") ? codexDialect : clineDialect;
	const edit = await convertAgent(dialect, source, reading);
	if (edit === undefined) return { problems: [] };
	const message = `The file looks like an agent of ${dialect.title}, and is not loaded: agents in this folder are Markdown. Convert it with the quick fix, or move it to ${dialect.folders(source.layer).join(" or ")}.`;
	const rename = { from: file, to: file.replace(/\.\w+$/u, ".md") };
	const fix: Fix = { title: titleOf(dialect), edits: [{ ...edit, file }], rename };
	const place = { line: 1, column: 1, endLine: 1, endColumn: 4 };
	return { problems: [{ severity: "error", code: "agent.foreignFormat", message, file, ...place, fixes: [fix] }] };
}

/** Says whose format a file that does not load is in, and offers to convert it wherever it has an error. */
async function addConversion(parsed: ParsedAgent, source: AgentSource, reading: AgentReading): Promise<ParsedAgent> {
	const dialect = await findDialect(source, reading);
	if (dialect === undefined) return parsed;
	const edit = await convertAgent(dialect, source, reading);
	if (edit === undefined) return parsed;
	const fix: Fix = { title: titleOf(dialect), edits: [{ ...edit, file: source.file }] };
	const isError = ({ severity }: AgentProblem) => severity === "error";
	const first = parsed.problems.find(isError);
	const hint = ` The file looks like an agent of ${dialect.title}: the quick fix converts it.`;
	const problems = parsed.problems.map((problem) => {
		if (!isError(problem)) return problem;
		const message = problem === first ? problem.message + hint : problem.message;
		return { ...problem, message, fixes: [...(problem.fixes ?? []), fix] };
	});
	return { ...parsed, problems };
}

async function findDialect({ bytes, file }: AgentSource, { parse }: AgentReading): Promise<AgentDialect | undefined> {
	const decoded = decodeSource(bytes);
	if ("problem" in decoded) return undefined;
	// Of all formats, these two alone need no frontmatter.
	if (!decoded.text.startsWith("---")) return file.endsWith(".agent.md") ? vscodeDialect : codexDialect;
	const loose = await readLooseFrontmatter(decoded.text, parse);
	return "problem" in loose ? undefined : guessDialect(loose.data, file);
}

function titleOf({ title }: AgentDialect): string {
	return `Convert from the format of ${title}`;
}
