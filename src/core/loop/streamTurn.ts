import type { FinishReason, ModelError, ModelMessage, ModelPart, ModelUsage, ToolCall } from "../models/modelPort.ts";
import type { LoopInput } from "./agentLoop.ts";

export type TurnReply = { readonly usage: ModelUsage } & (
	| {
			readonly kind: "replied";
			readonly text: string;
			readonly toolCalls: readonly ToolCall[];
			readonly finishReason: FinishReason;
			/** The model that really answered, as it calls itself. */
			readonly modelId: string | null;
			readonly replay?: unknown;
	  }
	| { readonly kind: "failed"; readonly error: ModelError }
	| { readonly kind: "stopped"; readonly text: string }
);

const nothingUsed: ModelUsage = {
	inputTokens: { total: 0, cacheRead: 0 },
	outputTokens: { total: 0, reasoning: 0 },
	usd: 0,
	isEstimate: false,
};

export type Asking = Pick<LoopInput, "model" | "system" | "tools" | "signal" | "reasoning" | "emit" | "onProgress">;

/** One request to the model, read to its end. An abort ends it at once, even when the model does not listen to it. */
export async function streamTurn(
	input: Asking,
	messages: readonly ModelMessage[],
	turn: number,
	toolChoice: "auto" | "none",
): Promise<TurnReply> {
	const { model, system, tools, signal, reasoning, onProgress } = input;
	const given = { ...(reasoning && { reasoning }), ...(onProgress && { onProgress }) };
	const request = { system, messages, tools, toolChoice, signal, ...given };
	const toolCalls: ToolCall[] = [];
	let text = "";
	let usage = nothingUsed;
	let failure: ModelError | undefined;
	let finishReason: FinishReason = "other";
	let modelId: string | null = null;
	let replay: unknown;
	for await (const part of untilAborted(model.stream(request), signal)) {
		switch (part.type) {
			case "text-delta":
				text += part.delta;
				await input.emit({ type: "text", turn, delta: part.delta });
				break;
			case "reasoning-delta":
				await input.emit({ type: "reasoning", turn, delta: part.delta });
				break;
			case "tool-call":
				toolCalls.push(toCall(part));
				break;
			case "response-metadata":
				({ modelId } = part);
				break;
			case "replay":
				replay = part.data;
				break;
			case "error":
				failure = part.error;
				break;
			case "finish":
				({ usage, finishReason } = part);
				break;
			default:
				// Starts and ends say nothing that the loop needs.
				break;
		}
	}
	if (signal.aborted) return { kind: "stopped", text, usage };
	if (failure) return { kind: "failed", error: failure, usage };
	return { kind: "replied", text, toolCalls, usage, finishReason, modelId, ...(replay !== undefined && { replay }) };
}

function toCall({ toolCallId, toolName, input, inputError }: ToolCall): ToolCall {
	return { toolCallId, toolName, input, ...(inputError !== undefined && { inputError }) };
}

/** Passes parts through until the signal fires; then leaves the stream behind, closed as far as it lets itself be. */
async function* untilAborted(parts: AsyncIterable<ModelPart>, signal: AbortSignal): AsyncGenerator<ModelPart> {
	const iterator = parts[Symbol.asyncIterator]();
	let wake: (value: "aborted") => void = () => undefined;
	const abort = () => wake("aborted");
	signal.addEventListener("abort", abort);
	try {
		while (!signal.aborted) {
			// Not Promise.race: racing one long-lived promise once per part would keep every part alive.
			const next = await new Promise<IteratorResult<ModelPart> | "aborted">((resolve, reject) => {
				wake = resolve;
				iterator.next().then(resolve, reject);
			});
			if (next === "aborted" || next.done) return;
			yield next.value;
		}
	} finally {
		signal.removeEventListener("abort", abort);
		// Not awaited: a model that hangs would hold up the stop. What it still has to say is of no use to anyone.
		iterator.return?.(undefined).catch(() => undefined);
	}
}
