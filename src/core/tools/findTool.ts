import { canonicalToolName } from "./toolNames.ts";
import type { Tool } from "./tool.ts";

/** The tool that a call means: by its exact name first, so that no alias hides a tool of that name. */
export function findTool(name: string, tools: readonly Tool[]): Tool | undefined {
	const canonical = canonicalToolName(name);
	return tools.find((tool) => tool.name === name) ?? tools.find((tool) => tool.name === canonical);
}
