import type { KnownTools } from "../../../../src/core/agents/agentVocabulary.ts";

const names = ["read_file", "list_dir", "grep", "glob", "web_search", "web_fetch", "attach_file", "shell"];

export const someTools: KnownTools = {
	toolNames: names,
	isKnownTool: (name) => names.includes(name),
	findPatternProblem: (entry) => (entry.endsWith("()") ? `${entry} has an empty pattern.` : undefined),
};

/** An agent file with these lines between name, description and body. */
export function agentText(lines = "", { name = "helper", body = "You help.\n" } = {}): string {
	return `---\nname: ${name}\ndescription: Helps.\n${lines === "" ? "" : `${lines}\n`}---\n${body}`;
}
