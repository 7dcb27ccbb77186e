/** What an agent can be called: a part of session keys, and typed by people and models. */
export const agentNamePattern = /^[a-z0-9]+(?:[-_][a-z0-9]+)*$/u;

export const longestAgentName = 64;

/**
 * The name nearest to a text that is none: `Code Reviewer` → `code-reviewer`. Undefined when nothing of it can be used.
 * Signs that tell languages apart are spelled out, so that C, C# and C++ stay three.
 */
export function toAgentName(text: string): string | undefined {
	const name = text
		.replaceAll("#", "-sharp-")
		.replaceAll("+", "-plus-")
		.normalize("NFKD")
		.replaceAll(/\p{M}/gu, "")
		.toLowerCase()
		.replaceAll(/[^a-z0-9_]+/gu, "-")
		.replaceAll(/[-_]{2,}/gu, "-")
		.slice(0, longestAgentName)
		.replaceAll(/^[-_]+|[-_]+$/gu, "");
	return name === "" ? undefined : name;
}
