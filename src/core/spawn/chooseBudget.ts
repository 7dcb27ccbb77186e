import type { AgentDefinition } from "../agents/agentDefinition.ts";
import { type Budget, tightest } from "../runs/budget.ts";

export interface BudgetSources {
	/** What the call says. */
	readonly called: Budget | undefined;
	/** Whether a person makes the call. */
	readonly isPerson: boolean;
	readonly agent: Pick<AgentDefinition, "budget" | "layer">;
	/** What the user's configuration says for every subagent. */
	readonly byDefault: Budget | undefined;
}

/** What a run may use up. A person and an agent of theirs say more than the default; a repo and a model only less. */
export function chooseBudget({ called = {}, isPerson, agent, byDefault = {} }: BudgetSources): Budget | null {
	const own = agent.budget ?? {};
	const usual = agent.layer === "repo" ? tightest(byDefault, own) : { ...byDefault, ...own };
	const budget = isPerson ? { ...usual, ...called } : tightest(usual, called);
	return Object.keys(budget).length > 0 ? budget : null;
}
