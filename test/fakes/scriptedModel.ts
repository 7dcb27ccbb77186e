import type { Model, ModelErrorKind, ModelPart, ModelRequest, ToolCall } from "../../src/core/models/modelPort.ts";

export interface ScriptedReply {
	readonly text?: string;
	readonly calls?: readonly ToolCall[];
	readonly error?: string;
	readonly errorKind?: ModelErrorKind;
	/** Streams its text and then waits for the abort, listening to it or not. */
	readonly hangs?: "politely" | "deafly";
}

/** A model that gives the listed replies, one per request, and remembers what it was asked. */
export class ScriptedModel implements Model {
	readonly ref = "demo/scripted" as const;
	readonly label = "Scripted";
	readonly requests: ModelRequest[] = [];
	readonly #replies: ScriptedReply[];

	constructor(...replies: readonly ScriptedReply[]) {
		this.#replies = [...replies];
	}

	async *stream(request: ModelRequest): AsyncGenerator<ModelPart> {
		this.requests.push(request);
		const reply = this.#replies.shift() ?? { text: "" };
		const usage = {
			inputTokens: { total: 100, cacheRead: 40 },
			outputTokens: { total: 10, reasoning: 2 },
			usd: 0.01,
			isEstimate: false,
		};
		for (const word of (reply.text ?? "").split(/(?<= )/u)) yield { type: "text-delta", id: "1", delta: word };
		if (reply.hangs === "deafly") await new Promise(() => undefined);
		if (reply.hangs === "politely" && !request.signal.aborted) {
			await new Promise((resolve) => request.signal.addEventListener("abort", resolve, { once: true }));
			yield { type: "finish", finishReason: "aborted", usage };
			return;
		}
		for (const call of reply.calls ?? []) yield { type: "tool-call", ...call };
		if (reply.error !== undefined) {
			const kind = reply.errorKind === undefined ? {} : { kind: reply.errorKind };
			yield { type: "error", error: { message: reply.error, retryable: false, ...kind } };
		}
		yield { type: "finish", finishReason: reply.error === undefined ? "stop" : "error", usage };
	}
}

export function aCall(toolName: string, input: unknown, toolCallId = `${toolName}-1`): ToolCall {
	return { toolCallId, toolName, input };
}
