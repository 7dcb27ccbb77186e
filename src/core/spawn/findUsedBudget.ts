import type { ResolvedDefaults } from "../config/mergeDefaults.ts";
import { type Budget, budgetKinds, type BudgetScope, describeAmount, type Spent } from "../runs/budget.ts";
import type { SpawnContext } from "./spawnContext.ts";

type SharedScope = Exclude<BudgetScope, "run">;

const keys: Readonly<Record<SharedScope, string>> = {
	session: "session_budget",
	agent: "agent_budget",
	day: "day_budget",
};

/** Why no run of the agent may begin now, with what would lift it; undefined when nothing is used up. */
export async function findUsedBudget(
	agentId: string,
	defaults: ResolvedDefaults,
	{ requester, database, clock }: Pick<SpawnContext, "requester" | "database" | "clock">,
): Promise<string | undefined> {
	const { sessionBudget, agentBudget, dayBudget } = defaults;
	if (!sessionBudget && !agentBudget && !dayBudget) return undefined;
	const { isPerson, session } = requester;
	const asking = isPerson ? null : await database.call("findSession", { key: session.key });
	const at = clock.now();
	const spent = await database.call("readSpent", { requesterSessionId: asking?.id ?? null, agentId, at });
	const problems = [
		findUsed("session", sessionBudget?.value, spent.requester),
		findUsed("agent", agentBudget?.value, spent.agent),
		findUsed("day", dayBudget?.value, dayBudget ? await database.shareDay(at, spent.day) : null),
	];
	const problem = problems.find((each) => each !== undefined);
	return problem && `Not accepted: ${problem}`;
}

function findUsed(scope: SharedScope, budget: Budget | undefined, spent: Spent | null): string | undefined {
	const kind = budgetKinds.find((each) => spent !== null && (budget?.[each] ?? Infinity) <= spent[each]);
	const limit = kind && budget?.[kind];
	if (!kind || limit === undefined || !spent) return undefined;
	const whose = { session: "this session's budget", agent: "today's budget of this agent", day: "today's budget" }[
		scope
	];
	const anew = scope === "session" ? "Begin a new session" : "It begins anew at midnight";
	return `${whose} of ${describeAmount(kind, limit)} is used up (${describeAmount(kind, spent[kind])}). ${anew}; or the user raises ${keys[scope]} in [agents.defaults.subagents], or lets one run go over it.`;
}
