import type { Usage } from "./run.ts";

/** Upper limits; an absent one does not limit. */
export interface Budget {
	readonly tokens?: number;
	readonly usd?: number;
	readonly turns?: number;
	readonly toolCalls?: number;
	readonly spawns?: number;
}

export type BudgetKind = keyof Budget;

/** What has been used up of each kind. */
export type Spent = Readonly<Record<BudgetKind, number>>;

/** What a budget is for: one run, its session, all runs of its agent in a day, or all runs of a day. */
export type BudgetScope = "run" | "session" | "agent" | "day";

/** What a run has done besides asking the model for words. */
export interface Work {
	readonly turns: number;
	readonly toolCalls: number;
	/** How many subagents it has spawned. */
	readonly spawns: number;
}

export const noWork: Work = { turns: 0, toolCalls: 0, spawns: 0 };
export const nothingSpent: Spent = { tokens: 0, usd: 0, turns: 0, toolCalls: 0, spawns: 0 };

export const budgetKinds: readonly BudgetKind[] = ["tokens", "usd", "turns", "toolCalls", "spawns"];

/** A price that is not known counts as nothing. */
export function spentBy(usage: Usage, work: Work): Spent {
	return { tokens: usage.inputTokens + usage.outputTokens, usd: usage.usd ?? 0, ...work };
}

/** Of each kind the lower limit. */
export function tightest(one: Budget, other: Budget): Budget {
	const entries = budgetKinds.flatMap((kind) => {
		const limits = [one[kind], other[kind]].filter((limit) => limit !== undefined);
		return limits.length > 0 ? [[kind, Math.min(...limits)] as const] : [];
	});
	return Object.fromEntries(entries);
}

const units: Readonly<Record<BudgetKind, readonly [string, string]>> = {
	tokens: ["token", "tokens"],
	usd: ["", ""],
	turns: ["turn", "turns"],
	toolCalls: ["tool call", "tool calls"],
	spawns: ["subagent", "subagents"],
};

/** `5,000 tokens`, `$0.50`. */
export function describeAmount(kind: BudgetKind, amount: number): string {
	if (kind === "usd") return `$${amount.toFixed(amount < 1 ? 4 : 2).replace(/(\.\d\d+?)0+$/u, "$1")}`;
	return `${amount.toLocaleString("en-US")} ${units[kind][amount === 1 ? 0 : 1]}`;
}

/** `1,200 of 5,000 tokens, 3 of 10 turns`: what is limited, and what of it is used. */
export function describeBudget(budget: Budget, spent: Spent): string {
	return budgetKinds
		.flatMap((kind) => {
			const limit = budget[kind];
			if (limit === undefined) return [];
			const used = kind === "usd" ? describeAmount(kind, spent[kind]) : spent[kind].toLocaleString("en-US");
			return [`${used} of ${describeAmount(kind, limit)}`];
		})
		.join(", ");
}
