import { messageOf } from "../base/errors.ts";
import type { BudgetVerdict } from "../loop/budgetVerdict.ts";
import type { ToolCall } from "../models/modelPort.ts";
import type { Logger } from "../ports/logger.ts";
import type { Clock } from "../ports/clock.ts";
import {
	type Budget,
	type BudgetKind,
	budgetKinds,
	type BudgetScope,
	describeAmount,
	nothingSpent,
	type Spent,
	spentBy,
	type Work,
} from "../runs/budget.ts";
import { noUsage, type Run, type Usage } from "../runs/run.ts";
import type { Database } from "../store/database.ts";
import type { SpentTotals } from "../store/ledger.ts";
import { canonicalToolName } from "../tools/toolNames.ts";
import type { ToolResult } from "../tools/tool.ts";

/** What limits a run besides its own budget. */
export type SharedBudgets = Readonly<Partial<Record<Exclude<BudgetScope, "run">, Budget>>>;

interface Limit {
	readonly scope: BudgetScope;
	readonly kind: BudgetKind;
	readonly amount: number;
}

/** From here on the model is told. */
const near = 0.8;
/** From here on nothing more is asked of it. */
const hard = 1.2;
/** How many characters of streamed text are about one token, until the provider says what it was. */
const charactersPerToken = 4;

export interface SpendingOptions {
	readonly shared: SharedBudgets;
	readonly database: Database;
	readonly clock: Clock;
	readonly logger: Logger;
}

/**
 * What one run uses up, and what it may. At 80 % of a limit its model is told, at 100 % it is asked for its report, at
 * 120 % it is stopped, in the middle of a stream too. Calls beyond their number do not run at all.
 */
export class Spending {
	readonly #run: Run;
	readonly #options: SpendingOptions;
	readonly #limits: readonly Limit[];
	readonly #stop = new AbortController();
	readonly #told = new Set<Limit>();
	#usage: Usage = noUsage;
	#work: Work;
	#streamed = 0;
	/** Limits whose last unit has been asked for and refused. */
	#isSpawnRefused = false;
	/** What everybody has used up, and how much of it was this run's own, when that was last read. */
	#totals: SpentTotals | null = null;
	#ownThen: Spent = nothingSpent;
	/** Why it was stopped in the middle of a stream. */
	stoppedBecause: string | null = null;

	constructor(run: Run, options: SpendingOptions) {
		this.#run = run;
		this.#options = options;
		this.#work = { turns: 0, toolCalls: 0, spawns: run.work.spawns };
		const own = limitsOf("run", run.request.budget ?? {});
		const shared = Object.entries(run.request.isOverBudget === true ? {} : options.shared);
		this.#limits = [...own, ...shared.flatMap(([scope, budget]) => limitsOf(scope as BudgetScope, budget))];
	}

	/** Fires when it goes on streaming although nothing is left. */
	get signal(): AbortSignal {
		return this.#stop.signal;
	}

	get work(): Work {
		return this.#work;
	}

	/** Reads what others have used up before the first request. */
	async begin(): Promise<void> {
		await this.#commit();
	}

	/** The model has said something. */
	streamed(text: string): void {
		this.#streamed += text.length / charactersPerToken;
		const over = this.#limits.find((limit) => limit.kind === "tokens" && this.#shareOf(limit) >= hard);
		if (!over || this.stoppedBecause !== null) return;
		this.stoppedBecause = this.#explain(over);
		this.#stop.abort();
	}

	/** A request has ended; resolves when that is on record. */
	async turnEnded(turn: number, usage: Usage): Promise<void> {
		this.#usage = usage;
		this.#streamed = 0;
		// What is asked for again is the same turn.
		this.#work = { ...this.#work, turns: turn };
		await this.#commit();
	}

	judge(): BudgetVerdict {
		const worst = this.#limits
			.map((limit) => ({ limit, share: this.#shareOf(limit) }))
			.toSorted((one, other) => other.share - one.share)[0];
		if (!worst || worst.share < near) return { kind: "free" };
		const { limit, share } = worst;
		const isUsed = limit.kind === "spawns" ? this.#isSpawnRefused : share >= 1;
		// What others have used up leaves nothing to report.
		if (isUsed && (share >= hard || this.#work.turns === 0)) return { kind: "over", reason: this.#explain(limit) };
		if (isUsed) return { kind: "used", reason: this.#explain(limit) };
		if (this.#told.has(limit)) return { kind: "free" };
		this.#told.add(limit);
		return { kind: "near", text: this.#warn(limit) };
	}

	/** Runs a call if there is one left. The place is taken before, so that calls side by side can't share one. */
	async duringCall(call: ToolCall, run: () => Promise<ToolResult>): Promise<ToolResult> {
		const isSpawn = canonicalToolName(call.toolName) === "sessions_spawn";
		const calls = this.#limits.find((limit) => limit.kind === "toolCalls" && this.#shareOf(limit) >= 1);
		const spawns = isSpawn && this.#limits.find((limit) => limit.kind === "spawns" && this.#shareOf(limit) >= 1);
		if (spawns) this.#isSpawnRefused = true;
		const used = calls ?? (spawns || undefined);
		if (used) return { text: `Not done: ${lowerFirst(this.#explain(used))} Write your report.`, isError: true };
		this.#count({ toolCalls: 1, spawns: isSpawn ? 1 : 0 });
		const result = await run();
		// Only who was accepted counts.
		if (isSpawn && !/"accepted":\s*true/u.test(result.text)) this.#count({ toolCalls: 0, spawns: -1 });
		return result;
	}

	#count(more: Pick<Work, "toolCalls" | "spawns">): void {
		const { turns, toolCalls, spawns } = this.#work;
		this.#work = { turns, toolCalls: toolCalls + more.toolCalls, spawns: spawns + more.spawns };
	}

	get #own(): Spent {
		const spent = spentBy(this.#usage, this.#work);
		return { ...spent, tokens: spent.tokens + this.#streamed };
	}

	async #commit(): Promise<void> {
		const { database, clock } = this.#options;
		const own = this.#own;
		const { turns, toolCalls } = this.#work;
		const input = { runId: this.#run.id, usage: this.#usage, turns, toolCalls, at: clock.now() };
		const totals = await database.call("spend", input);
		const day = this.#shareDay(totals.day);
		this.#totals = this.#options.shared.day ? { ...totals, day: await day } : totals;
		this.#ownThen = own;
	}

	/** What can't be shared limits by what this workspace knows. */
	async #shareDay(spent: Spent): Promise<Spent> {
		const { database, clock, logger } = this.#options;
		try {
			return await database.shareDay(clock.now(), spent);
		} catch (error) {
			logger.warn(`What was spent today in other workspaces is not known: ${messageOf(error)}`);
			return spent;
		}
	}

	#shareOf({ scope, kind, amount }: Limit): number {
		return this.#spentIn(scope, kind) / amount;
	}

	#spentIn(scope: BudgetScope, kind: BudgetKind): number {
		const own = this.#own[kind];
		if (scope === "run" || !this.#totals) return own;
		const { session, requester, agent, day } = this.#totals;
		const before = { session: Math.max(session[kind], requester?.[kind] ?? 0), agent: agent[kind], day: day[kind] }[
			scope
		];
		return before + own - this.#ownThen[kind];
	}

	#explain({ scope, kind, amount }: Limit): string {
		return `${whose(scope, this.#run.agentId)} budget of ${describeAmount(kind, amount)} is used up.`;
	}

	#warn({ scope, kind, amount }: Limit): string {
		const spent = Math.round(this.#spentIn(scope, kind) * 10_000) / 10_000;
		return `${describeAmount(kind, spent)} of ${lowerFirst(whose(scope, this.#run.agentId))} budget of ${describeAmount(kind, amount)} are used. Finish what is most important now, then write your final report.`;
	}
}

function limitsOf(scope: BudgetScope, budget: Budget): Limit[] {
	return budgetKinds.flatMap((kind) => {
		const amount = budget[kind];
		return amount === undefined ? [] : [{ scope, kind, amount }];
	});
}

/** The beginning of a sentence. */
export function whose(scope: BudgetScope, agentId: string): string {
	switch (scope) {
		case "run":
			return "Its";
		case "session":
			return "The session's";
		case "agent":
			return `Today's (agent ${agentId})`;
		case "day":
			return "Today's";
	}
}

function lowerFirst(text: string): string {
	return text.charAt(0).toLowerCase() + text.slice(1);
}
