import { messageOf } from "../base/errors.ts";
import type { Model, ModelMessage, ModelUsage, ReasoningLevel, ToolCall, ToolSchema } from "../models/modelPort.ts";
import { noUsage, type Usage } from "../runs/run.ts";
import type { ToolResult } from "../tools/tool.ts";
import { streamTurn } from "./streamTurn.ts";

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
	/** Hears everything in order, as it happens. Must not throw. */
	report(event: LoopEvent): void;
}

export type LoopEvent =
	| { readonly type: "text"; readonly turn: number; readonly delta: string }
	| { readonly type: "reasoning"; readonly turn: number; readonly delta: string }
	| { readonly type: "tool-called"; readonly turn: number; readonly call: ToolCall }
	| { readonly type: "tool-returned"; readonly turn: number; readonly call: ToolCall; readonly result: ToolResult }
	| { readonly type: "turn-ended"; readonly turn: number; readonly usage: Usage };

export type LoopOutcome =
	| { readonly kind: "finished"; readonly text: string }
	/** Ended early, with what there is. */
	| { readonly kind: "partial"; readonly text: string; readonly reason: string }
	| { readonly kind: "failed"; readonly message: string }
	| { readonly kind: "stopped" };

/**
 * Runs an agent to its end: asks the model, runs the tools that it calls, and asks again, until it answers without a
 * call. Keeps no state, and never throws: every ending is an outcome.
 */
export async function runAgentLoop(input: LoopInput): Promise<{ outcome: LoopOutcome; usage: Usage }> {
	const messages = [...input.messages];
	let usage = noUsage;
	let text = "";
	try {
		for (let turn = 1; turn <= input.maxTurns; turn++) {
			const reply = await streamTurn(input, messages, turn);
			usage = addUsage(usage, reply.usage);
			input.report({ type: "turn-ended", turn, usage });
			if (reply.kind === "stopped") return { outcome: { kind: "stopped" }, usage };
			if (reply.kind === "failed") return { outcome: { kind: "failed", message: reply.error.message }, usage };
			text = reply.text || text;
			if (reply.toolCalls.length === 0) return { outcome: conclude(reply.text), usage };
			messages.push({ role: "assistant", text: reply.text, toolCalls: reply.toolCalls });
			messages.push(...(await runTools(input, reply.toolCalls, turn)));
			if (input.signal.aborted) return { outcome: { kind: "stopped" }, usage };
		}
		return { outcome: { kind: "partial", text, reason: `It used all of its ${input.maxTurns} turns.` }, usage };
	} catch (error) {
		return { outcome: { kind: "failed", message: messageOf(error) }, usage };
	}
}

/** An answer without a word is no success, however politely the model finished. */
function conclude(text: string): LoopOutcome {
	if (text.trim() === "") return { kind: "failed", message: "The model ended without an answer." };
	return { kind: "finished", text };
}

/** All calls of a turn at once; their results in the order of the calls. */
async function runTools(input: LoopInput, calls: readonly ToolCall[], turn: number): Promise<ModelMessage[]> {
	return Promise.all(
		calls.map(async (call): Promise<ModelMessage> => {
			input.report({ type: "tool-called", turn, call });
			const result = await input.runTool(call, input.signal);
			input.report({ type: "tool-returned", turn, call, result });
			return { role: "tool", toolCallId: call.toolCallId, toolName: call.toolName, ...result };
		}),
	);
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
