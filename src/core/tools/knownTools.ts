import { nameOfEntry } from "../base/toolEntry.ts";
import { unofferedTools } from "../base/unofferedTools.ts";
import { parseRule } from "../permissions/rule.ts";
import { builtinToolNames, canonicalToolName } from "./toolNames.ts";
import { isSessionTool } from "./toolPolicy.ts";

/** What an agent file may name as a tool: ours by any alias, session tools, and every tool of an MCP server. */
export const knownTools = {
	toolNames: builtinToolNames,
	isKnownTool(name: string): boolean {
		const canonical = canonicalToolName(nameOfEntry(name));
		if (isSessionTool(canonical) || unofferedTools.has(canonical) || canonical.startsWith("mcp__")) return true;
		return builtinToolNames.some((known) => known === canonical);
	},
	findPatternProblem(entry: string): string | undefined {
		const parsed = parseRule(entry, { origin: "this list", canonicalName: canonicalToolName });
		return parsed.ok ? undefined : parsed.problem.message;
	},
};
