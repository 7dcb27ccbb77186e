import { hasPattern, nameOfEntry } from "../base/toolEntry.ts";
import { canonicalToolName } from "./toolNames.ts";

export interface ToolPolicy<Tool> {
	readonly available: readonly Tool[];
	/** The agent's own list; `undefined` means every tool that is available. */
	readonly tools: readonly string[] | undefined;
	readonly disallowedTools: readonly string[] | undefined;
	readonly isSubagent: boolean;
}

/**
 * The tools that an agent really has. Deny beats allow, and nothing gives a subagent the tools that rule over sessions.
 * Names may be aliases. Of an entry with a pattern the tool counts where it is allowed, and nothing where it is denied: the
 * gate denies what the pattern says. A name that fits no tool is no error here: whoever reads the agent's file reports it.
 */
export function effectiveTools<Tool extends { readonly name: string }>(policy: ToolPolicy<Tool>): readonly Tool[] {
	const allowed = policy.tools && new Set(policy.tools.map((entry) => canonicalToolName(nameOfEntry(entry))));
	const denied = new Set(policy.disallowedTools?.filter((entry) => !hasPattern(entry)).map(canonicalToolName));
	return policy.available.filter(({ name }) => {
		if (policy.isSubagent && isSessionTool(name)) return false;
		return !denied.has(name) && (allowed === undefined || allowed.has(name));
	});
}

/** Tools for the agent that people talk to: they start, steer and stop other sessions, or outlive the run. */
export function isSessionTool(name: string): boolean {
	return name.startsWith("sessions_") || name === "spawn_agent" || name === "gateway" || name === "cron";
}
