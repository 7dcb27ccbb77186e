import type { AgentDefinition } from "../agents/agentDefinition.ts";
import { hasPattern, nameOfEntry } from "../base/toolEntry.ts";
import { parseRule, type Rule, type RuleLists } from "../permissions/rule.ts";
import type { ToolLimit } from "../permissions/toolLimit.ts";
import { canonicalToolName } from "../tools/toolNames.ts";

/** What an agent's own lists take away. They never allow anything. */
export interface AgentRules {
	readonly deny: readonly Rule[];
	readonly ask: readonly Rule[];
	readonly limits: readonly ToolLimit[];
}

export function readAgentRules({ disallowedTools = [], limits = [], askedTools = [] }: AgentDefinition): AgentRules {
	return {
		deny: disallowedTools.filter(hasPattern).flatMap(toDenial),
		ask: askedTools.flatMap(toRule),
		limits: limits.map((entries) => ({
			tool: canonicalToolName(nameOfEntry(entries[0] ?? "")),
			text: entries.join(", "),
			rules: entries.flatMap(toRule),
		})),
	};
}

/** The configured rules together with what the agent's own lists ask for and deny. */
export function addAgentRules(rules: RuleLists, { deny, ask }: AgentRules): RuleLists {
	return { ...rules, deny: [...rules.deny, ...deny], ask: [...rules.ask, ...ask] };
}

/** A pattern that can't be read is taken for the whole tool: the author wanted something of it denied. */
function toDenial(entry: string): readonly Rule[] {
	const rule = toRule(entry);
	return rule.length > 0 ? rule : toRule(nameOfEntry(entry));
}

function toRule(text: string): readonly Rule[] {
	const parsed = parseRule(text, { origin: "the agent's own list", canonicalName: canonicalToolName });
	return parsed.ok ? [parsed.rule] : [];
}
