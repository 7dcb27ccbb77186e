import type { Vocabulary } from "../../../../src/core/config/configReferences.ts";

const toolNames = ["read_file", "write_file", "grep", "shell", "web_fetch"];
const aliases: Readonly<Record<string, string>> = { read: "read_file", write: "write_file", exec: "shell" };

/** A few tools and providers, for configurations that name some. */
export const vocabulary: Vocabulary = {
	toolNames,
	isKnownTool: (name) => toolNames.includes(aliases[name] ?? name) || /^(?:sessions_|mcp__)/u.test(name),
	canonicalToolName: (name) => aliases[name] ?? name,
	providerIds: ["demo", "openai"],
};
