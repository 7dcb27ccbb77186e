/**
 * The text of a new agent file, which loads as it is. The name is one that `agentNamePattern` accepts; the description is
 * whatever a person typed, and may be empty.
 */
export function newAgentFile(name: string, description: string): string {
	const words = description.replaceAll(/\s+/gu, " ").trim();
	return `---
name: ${name}
description: >
  ${words === "" ? "Use when someone has to …" : words}
tools: [read_file, list_dir, grep, glob]
---

You are ${name}. Say here what the agent is good at, and what it never does.

## Guidelines

- How to begin, and where to look.
- What to take care of.

## Report

What the answer looks like: the result first, then the evidence.
`;
}
