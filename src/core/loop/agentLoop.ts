import { messageOf } from "../base/errors.ts";
import type {
	Model,
	ModelError,
	ModelErrorKind,
	ModelMessage,
	ModelUsage,
	ReasoningLevel,
	ToolCall,
	ToolSchema,
} from "../models/modelPort.ts";
import { noUsage, type Usage } from "../runs/run.ts";
import type { ToolResult } from "../tools/tool.ts";
import type { BudgetVerdict } from "./budgetVerdict.ts";
import { ContextMeter } from "./contextMeter.ts";
import { nudges } from "./nudges.ts";
import { RepeatedCalls } from "./repeatedCalls.ts";
import { streamTurn, type TurnReply } from "./streamTurn.ts";

export interface LoopInput {
	readonly model: Model;
	readonly system: string;
	readonly messages: readonly ModelMessage[];
	readonly tools: readonly ToolSchema[];
	readonly reasoning?: ReasoningLevel;
	readonly maxTurns: number;
	readonly signal: AbortSignal;
	/** Must not throw: a failure is a result with `isError`. */
	runTool(call: ToolCall, signal: AbortSignal): Promise<ToolResult>;
	/** Whether this call may run beside others; those that change something run one after the other. */
	isParallelSafe(call: ToolCall): boolean;
	/** Hears everything in order. The loop goes on when it resolves: what was told is then committed. */
	emit(event: LoopEvent): Promise<void> | void;
	/** Called when the model is at work on something that it has not said yet, such as the input of a call. */
	onProgress?(): void;
	/** Called before each turn and before the end: may take its time (a pause), gives what was said meanwhile. */
	boundary(turn: number): Promise<readonly ModelMessage[]>;
	/** How long to wait before asking again, or null to give up. `attempt` counts from 1. */
	retryDelay(error: ModelError, attempt: number): number | null;
	/** Makes a conversation that fills the model's window shorter; the request after it holds what this gives back. */
	compact?(request: CompactionRequest): Promise<Compaction>;
	/** Asked before each request; without it nothing limits the run but its turns. */
	judgeBudget?(): BudgetVerdict;
	/** Resolves after the time, or at once when the signal fires. */
	wait(ms: number, signal: AbortSignal): Promise<void>;
}

export interface CompactionRequest {
	/** `threshold`: the next request would come near the window. `overflow`: the provider has refused it as too large. */
	readonly reason: "threshold" | "overflow";
	readonly turn: number;
	/** How large the request is, as far as that is known. */
	readonly tokens: number;
	readonly signal: AbortSignal;
}

export type Compaction = { readonly usage: readonly ModelUsage[] } & (
	| { readonly ok: true; readonly messages: readonly ModelMessage[] }
	/** In sentences. */
	| { readonly ok: false; readonly reason: string }
);

export type LoopEvent =
	| { readonly type: "turn-started"; readonly turn: number }
	| { readonly type: "text"; readonly turn: number; readonly delta: string }
	| { readonly type: "reasoning"; readonly turn: number; readonly delta: string }
	/** What the model streamed of this turn does not count: it is asked again. */
	| {
			readonly type: "turn-withdrawn";
			readonly turn: number;
			readonly error: ModelError;
			readonly attempt: number;
			readonly delayMs: number;
	  }
	/** It is given up. */
	| { readonly type: "turn-failed"; readonly turn: number; readonly error: ModelError; readonly attempt: number }
	| { readonly type: "answered"; readonly turn: number; readonly modelId: string | null; readonly replay: unknown }
	| { readonly type: "tool-called"; readonly turn: number; readonly call: ToolCall }
	| { readonly type: "tool-returned"; readonly turn: number; readonly call: ToolCall; readonly result: ToolResult }
	/** Our own words to the model. */
	| { readonly type: "nudged"; readonly turn: number; readonly text: string }
	| { readonly type: "compacting"; readonly turn: number }
	/** `problem`: why the conversation is as long as before. */
	| { readonly type: "compacted"; readonly turn: number; readonly problem: string | null; readonly usage: Usage }
	| { readonly type: "turn-ended"; readonly turn: number; readonly usage: Usage };

export type LoopOutcome =
	| { readonly kind: "finished"; readonly text: string }
	/** Ended early, with what there is. */
	| { readonly kind: "partial"; readonly text: string; readonly reason: string }
	| { readonly kind: "failed"; readonly message: string; readonly failure?: ModelErrorKind }
	/** With what it had said until then. */
	| { readonly kind: "stopped"; readonly text: string };

/**
 * Runs an agent to its end: asks the model, runs the tools that it calls, and asks again, until it answers without a
 * call. Keeps no state beyond the call, and never throws: every ending is an outcome.
 */
export async function runAgentLoop(input: LoopInput): Promise<{ outcome: LoopOutcome; usage: Usage }> {
	const conversation = new Conversation(input);
	try {
		return { outcome: await conversation.run(), usage: conversation.usage };
	} catch (error) {
		const outcome = input.signal.aborted
			? ({ kind: "stopped", text: "" } as const)
			: ({ kind: "failed", message: messageOf(error) } as const);
		return { outcome, usage: conversation.usage };
	}
}

/** In one answer. Who makes more has lost its way. */
const mostCalls = 32;

class Conversation {
	readonly #input: LoopInput;
	#messages: ModelMessage[];
	readonly #meter = new ContextMeter();
	readonly #repeated = new RepeatedCalls();
	#turn = 0;
	#hasRetriedEmpty = false;
	/** Near the window it is tried once more only when the provider refuses. */
	#cannotCompact = false;
	/** The newest words of the model: what is left when it has to end early. */
	#text = "";
	usage = noUsage;

	constructor(input: LoopInput) {
		this.#input = input;
		this.#messages = [...input.messages];
	}

	async run(): Promise<LoopOutcome> {
		const { maxTurns } = this.#input;
		for (;;) {
			this.#turn++;
			this.#messages.push(...(await this.#input.boundary(this.#turn)));
			const budget = this.#input.judgeBudget?.() ?? { kind: "free" };
			if (budget.kind === "over") return { kind: "partial", text: this.#text, reason: budget.reason };
			const lastBecause = budget.kind === "used" ? budget.reason : this.#turn > maxTurns ? allTurns(maxTurns) : null;
			if (budget.kind === "used") await this.#nudge(nudges.budgetUsed(budget.reason));
			else if (lastBecause !== null) await this.#nudge(nudges.finalAnswer(maxTurns));
			else if (budget.kind === "near") await this.#nudge(budget.text);
			else if (maxTurns >= 5 && this.#turn === maxTurns - 1) await this.#nudge(nudges.nearTheEnd);
			const reply = await this.#ask(lastBecause !== null);
			if (reply.kind === "stopped") return { kind: "stopped", text: reply.text || this.#text };
			if (reply.kind === "failed") {
				const { message, kind: failure } = reply.error;
				return { kind: "failed", message, ...(failure && { failure }) };
			}
			this.#text = reply.text.trim() === "" ? this.#text : reply.text;
			if (lastBecause !== null) return { kind: "partial", text: this.#text, reason: lastBecause };
			const outcome = reply.toolCalls.length > 0 ? await this.#callTools(reply) : await this.#conclude(reply);
			if (outcome) return outcome;
			if (this.#input.signal.aborted) return { kind: "stopped", text: this.#text };
		}
	}

	/** An answer without a call ends the run, unless something was said meanwhile or it is no answer. */
	async #conclude(reply: Replied): Promise<LoopOutcome | undefined> {
		const { text, finishReason } = reply;
		if (text.trim() === "") {
			if (finishReason === "content-filter")
				return { kind: "failed", message: "The provider's filter withheld the answer." };
			if (finishReason === "length")
				return { kind: "failed", message: "The model reached its output limit before it said anything." };
			if (this.#hasRetriedEmpty) return { kind: "failed", message: "The model ended without an answer." };
			this.#hasRetriedEmpty = true;
			await this.#nudge(nudges.emptyAnswer);
			return undefined;
		}
		this.#hasRetriedEmpty = false;
		if (finishReason === "length")
			return { kind: "partial", text, reason: "The answer was cut off at the model's output limit." };
		if (finishReason === "content-filter")
			return { kind: "partial", text, reason: "The provider's filter cut the answer off." };
		const said = await this.#input.boundary(this.#turn);
		if (said.length === 0) return { kind: "finished", text };
		this.#messages.push({ role: "assistant", text, toolCalls: [], ...replayOf(reply) }, ...said);
		return undefined;
	}

	async #callTools(reply: Replied): Promise<LoopOutcome | undefined> {
		const { toolCalls } = reply;
		this.#hasRetriedEmpty = false;
		this.#messages.push({ role: "assistant", text: reply.text, toolCalls, ...replayOf(reply) });
		const results = await this.#runTools(toolCalls);
		this.#messages.push(...results);
		const streak = this.#repeated.count(toolCalls, results);
		if (streak >= RepeatedCalls.end) {
			const reason = `It made the same calls with the same results ${streak} times in a row.`;
			return { kind: "partial", text: this.#text, reason };
		}
		if (streak === RepeatedCalls.nudge) await this.#nudge(nudges.repeatedCalls);
		return undefined;
	}

	/** Neighbours that are safe beside each other run at once; results are in the order of the calls. */
	async #runTools(all: readonly ToolCall[]): Promise<ModelMessage[]> {
		const results: ModelMessage[] = [];
		const calls = all.slice(0, mostCalls);
		for (let from = 0; from < calls.length;) {
			let to = from + 1;
			const isSafe = (index: number) => this.#input.isParallelSafe(calls[index] as ToolCall);
			if (isSafe(from)) while (to < calls.length && isSafe(to)) to++;
			results.push(...(await Promise.all(calls.slice(from, to).map((call) => this.#runTool(call)))));
			from = to;
		}
		for (const call of all.slice(mostCalls))
			results.push(await this.#answer(call, nudges.tooManyCalls(call, mostCalls)));
		return results;
	}

	async #runTool(call: ToolCall): Promise<ModelMessage> {
		return this.#answer(call, call.inputError === undefined ? null : nudges.badInput(call));
	}

	/** `problem`: why it is not run. */
	async #answer(call: ToolCall, problem: string | null): Promise<ModelMessage> {
		const input = this.#input;
		const turn = this.#turn;
		await input.emit({ type: "tool-called", turn, call });
		const result = problem === null ? await input.runTool(call, input.signal) : { text: problem, isError: true };
		await input.emit({ type: "tool-returned", turn, call, result });
		return { role: "tool", toolCallId: call.toolCallId, toolName: call.toolName, ...result };
	}

	/** Asks until there is an answer or no hope. */
	async #ask(isLast: boolean): Promise<TurnReply> {
		const { signal } = this.#input;
		const turn = this.#turn;
		let hasOverflowed = false;
		if (!this.#cannotCompact && this.#meter.isNearlyFull(this.#input, this.#messages)) await this.#compact("threshold");
		for (let attempt = 1; ; attempt++) {
			await this.#input.emit({ type: "turn-started", turn });
			const reply = await streamTurn(this.#input, [...this.#messages], turn, isLast ? "none" : "auto");
			this.usage = addUsage(this.usage, reply.usage);
			await this.#input.emit({ type: "turn-ended", turn, usage: this.usage });
			if (reply.kind === "replied") {
				const { modelId, replay = null } = reply;
				await this.#input.emit({ type: "answered", turn, modelId, replay });
				this.#meter.note(reply.usage, this.#messages.length);
			}
			if (reply.kind !== "failed") return reply;
			if (reply.error.kind === "context-overflow" && !hasOverflowed && this.#input.compact) {
				hasOverflowed = true;
				const problem = await this.#compact("overflow");
				if (problem === null) continue;
				const message = `${reply.error.message} The older turns could not be summarised: ${problem}`;
				return signal.aborted ? { kind: "stopped", text: "", usage: reply.usage } : withMessage(reply, message);
			}
			const delayMs = this.#input.retryDelay(reply.error, attempt);
			if (delayMs === null) await this.#input.emit({ type: "turn-failed", turn, error: reply.error, attempt });
			if (delayMs === null || signal.aborted) return reply;
			await this.#input.emit({ type: "turn-withdrawn", turn, error: reply.error, attempt, delayMs });
			await this.#input.wait(delayMs, signal);
			if (signal.aborted) return { kind: "stopped", text: "", usage: reply.usage };
		}
	}

	/** Gives the reason when it did not work. */
	async #compact(reason: CompactionRequest["reason"]): Promise<string | null> {
		const { signal } = this.#input;
		const turn = this.#turn;
		await this.#input.emit({ type: "compacting", turn });
		const tokens = this.#meter.estimate(this.#input, this.#messages);
		const compaction = await this.#input.compact?.({ reason, turn, tokens, signal });
		if (!compaction) return null;
		for (const usage of compaction.usage) this.usage = addUsage(this.usage, usage);
		const problem = compaction.ok ? null : compaction.reason;
		await this.#input.emit({ type: "compacted", turn, problem, usage: this.usage });
		if (!compaction.ok) this.#cannotCompact = true;
		else {
			this.#messages = [...compaction.messages];
			this.#meter.forget();
		}
		return problem;
	}

	async #nudge(text: string): Promise<void> {
		this.#messages.push({ role: "user", text });
		await this.#input.emit({ type: "nudged", turn: this.#turn, text });
	}
}

function allTurns(maxTurns: number): string {
	return `It used all of its ${maxTurns} turns.`;
}

type Failed = TurnReply & { readonly kind: "failed" };

function withMessage(reply: Failed, message: string): Failed {
	return { ...reply, error: { ...reply.error, message } };
}

type Replied = TurnReply & { readonly kind: "replied" };

function replayOf({ replay }: Replied): { replay?: unknown } {
	return replay === undefined ? {} : { replay };
}

function addUsage(sum: Usage, turn: ModelUsage): Usage {
	return {
		inputTokens: sum.inputTokens + turn.inputTokens.total,
		outputTokens: sum.outputTokens + turn.outputTokens.total,
		cacheReadTokens: sum.cacheReadTokens + turn.inputTokens.cacheRead,
		reasoningTokens: sum.reasoningTokens + turn.outputTokens.reasoning,
		usd: sum.usd === null || turn.usd === null ? null : sum.usd + turn.usd,
		estimated: sum.estimated || turn.isEstimate,
	};
}
