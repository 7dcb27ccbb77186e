import { nothingSpent, type Spent, spentBy } from "../runs/budget.ts";
import type { Run, Usage } from "../runs/run.ts";
import { isTerminal } from "../runs/runState.ts";
import { mustGetRun } from "./runRows.ts";
import type { Sql } from "./sql.ts";

/** Everything that a run has used up until now. */
export interface Spend {
	readonly runId: string;
	readonly usage: Usage;
	readonly turns: number;
	readonly toolCalls: number;
	readonly at: number;
}

/** What is used up of everything that may limit a run. */
export interface SpentTotals {
	/** Its own session, with the runs that were asked for there. */
	readonly session: Spent;
	/** The session that asked for it; null where that is a person's. */
	readonly requester: Spent | null;
	/** All runs of its agent, today. */
	readonly agent: Spent;
	/** All runs of this workspace, today. */
	readonly day: Spent;
}

/** Notes what a live run has used up. What comes after its end changes nothing. */
export function spend(sql: Sql, input: Spend): SpentTotals {
	const run = mustGetRun(sql, input.runId);
	if (!isTerminal(run.state)) noteSpent(sql, run, input);
	return totalsOf(sql, run, input.at);
}

/** The run's own record, and the sums that it counts in. */
export function noteSpent(
	sql: Sql,
	run: Run,
	{ usage, turns, toolCalls, at }: Omit<Spend, "runId" | "turns" | "toolCalls"> & Partial<Spend>,
): void {
	const work = { ...run.work, ...(turns !== undefined && { turns }), ...(toolCalls !== undefined && { toolCalls }) };
	sql.run(
		`UPDATE run SET input_tokens = :inputTokens, output_tokens = :outputTokens, cache_read_tokens = :cacheReadTokens,
			reasoning_tokens = :reasoningTokens, usd = :usd, usage_estimated = :estimated, turns = :turns,
			tool_calls = :toolCalls WHERE id = :id`,
		{
			id: run.id,
			inputTokens: usage.inputTokens,
			outputTokens: usage.outputTokens,
			cacheReadTokens: usage.cacheReadTokens,
			reasoningTokens: usage.reasoningTokens,
			usd: usage.usd,
			estimated: Number(usage.estimated),
			turns: work.turns,
			toolCalls: work.toolCalls,
		},
	);
	const [before, after] = [spentBy(run.usage, run.work), spentBy(usage, work)];
	const more = Object.fromEntries(
		Object.entries(after).map(([kind, amount]) => [kind, amount - before[kind as keyof Spent]]),
	) as Spent;
	if (Object.values(more).some((amount) => amount !== 0)) addToSums(sql, run, more, at);
}

/** A run has spawned another. */
export function noteSpawn(sql: Sql, parentRunId: string, at: number): void {
	sql.run("UPDATE run SET spawns = spawns + 1 WHERE id = :parentRunId", { parentRunId });
	addToSums(sql, mustGetRun(sql, parentRunId), { ...nothingSpent, spawns: 1 }, at);
}

function addToSums(sql: Sql, run: Run, more: Spent, at: number): void {
	const day = dayOf(at);
	const { sessionId, requesterSessionId: requester, agentId } = run;
	add(sql, "session", sessionId, "", more);
	if (requester !== null && requester !== sessionId) add(sql, "session", requester, "", more);
	add(sql, "agent", agentId, day, more);
	add(sql, "day", "", day, more);
}

function add(sql: Sql, scope: string, name: string, day: string, { toolCalls, ...more }: Spent): void {
	sql.run(
		`INSERT INTO ledger (scope, name, day, tokens, usd, turns, tool_calls, spawns)
			VALUES (:scope, :name, :day, :tokens, :usd, :turns, :toolCalls, :spawns)
			ON CONFLICT (scope, name, day) DO UPDATE SET tokens = tokens + excluded.tokens, usd = usd + excluded.usd,
				turns = turns + excluded.turns, tool_calls = tool_calls + excluded.tool_calls,
				spawns = spawns + excluded.spawns`,
		{ scope, name, day, toolCalls, ...more },
	);
}

/** What is used up of what may limit a run that is not there yet. */
export function readSpent(
	sql: Sql,
	input: { readonly requesterSessionId: string | null; readonly agentId: string; readonly at: number },
): SpentTotals {
	const { requesterSessionId, agentId, at } = input;
	return { ...sumsOf(sql, requesterSessionId, agentId, at), session: nothingSpent };
}

function totalsOf(sql: Sql, run: Run, at: number): SpentTotals {
	const { sessionId, requesterSessionId, agentId } = run;
	return { ...sumsOf(sql, requesterSessionId, agentId, at), session: sumOf(sql, "session", sessionId, "") };
}

function sumsOf(sql: Sql, requester: string | null, agentId: string, at: number): Omit<SpentTotals, "session"> {
	const day = dayOf(at);
	const isPersons = requester === null || kindOf(sql, requester) === "user";
	return {
		requester: isPersons ? null : sumOf(sql, "session", requester, ""),
		agent: sumOf(sql, "agent", agentId, day),
		day: sumOf(sql, "day", "", day),
	};
}

function kindOf(sql: Sql, id: string): string | undefined {
	return sql.get<{ kind: string }>("SELECT kind FROM session WHERE id = :id", { id })?.kind;
}

function sumOf(sql: Sql, scope: string, name: string, day: string): Spent {
	return (
		sql.get<Spent>(
			`SELECT tokens, usd, turns, tool_calls AS toolCalls, spawns FROM ledger
				WHERE scope = :scope AND name = :name AND day = :day`,
			{ scope, name, day },
		) ?? nothingSpent
	);
}

/** The day where this process is: that is when people's budgets begin anew. */
export function dayOf(at: number): string {
	const date = new Date(at);
	const pad = (part: number) => String(part).padStart(2, "0");
	return `${date.getFullYear()}-${pad(date.getMonth() + 1)}-${pad(date.getDate())}`;
}
