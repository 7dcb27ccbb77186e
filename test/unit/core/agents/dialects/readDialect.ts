import { basename } from "node:path";
import type { AgentDialectId } from "../../../../../src/core/agents/agentDefinition.ts";
import type { ParsedAgent } from "../../../../../src/core/agents/agentFile.ts";
import { agentDialects } from "../../../../../src/core/agents/dialects/agentDialects.ts";
import { loadFrontmatterParser } from "../../../../../src/core/agents/frontmatter.ts";
import { knownTools } from "../../../../../src/core/tools/knownTools.ts";

const vocabulary = { ...knownTools, isKnownModel: (reference: string) => !reference.startsWith("acme/") };

/** Reads a text as a file of a dialect. */
export async function readDialect(
	id: AgentDialectId,
	text: string | Uint8Array,
	path = "some-agent.md",
): Promise<ParsedAgent> {
	const dialect = agentDialects.find((candidate) => candidate.id === id);
	if (dialect === undefined) throw new Error(`There is no dialect ${id}`);
	const source = { layer: "repo", file: `/repo/${basename(path)}`, path, bytes: Buffer.from(text) } as const;
	return dialect.read(source, { vocabulary, parse: await loadFrontmatterParser() });
}

/** Each problem as `severity code line`. */
export function brief({ problems }: ParsedAgent): readonly string[] {
	return problems.map(({ severity, code, line }) => `${severity} ${code} ${line}`);
}
