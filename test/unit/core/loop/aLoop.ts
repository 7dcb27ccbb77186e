import { type LoopEvent, type LoopInput, runAgentLoop } from "../../../../src/core/loop/agentLoop.ts";
import type {
	FinishReason,
	Model,
	ModelError,
	ModelMessage,
	ModelPart,
	ModelRequest,
	ToolCall,
} from "../../../../src/core/models/modelPort.ts";

/** What the model does with one request. */
export interface Reply {
	readonly text?: string;
	readonly reasoning?: string;
	readonly calls?: readonly ToolCall[];
	readonly finish?: FinishReason;
	/** Fails after its text. */
	readonly error?: Partial<ModelError>;
	/** Runs between the text and the rest. */
	readonly during?: () => Promise<void> | void;
}

/** What the loop was asked for, apart from `model`. */
export type LoopOptions = Partial<Omit<LoopInput, "model">>;

/** The model of a loop: gives its replies in order, and keeps each request as it was at that moment. */
class LoopModel implements Model {
	readonly ref = "demo/loop" as const;
	readonly label = "Loop";
	readonly requests: ModelRequest[] = [];
	readonly #replies: Iterator<Reply>;

	constructor(replies: Iterable<Reply>) {
		this.#replies = replies[Symbol.iterator]();
	}

	async *stream(request: ModelRequest): AsyncGenerator<ModelPart> {
		this.requests.push({ ...request, messages: [...request.messages] });
		const next = this.#replies.next();
		if (next.done) throw new Error("The model was asked more often than expected");
		const { text = "", reasoning, calls = [], finish = "stop", error, during } = next.value;
		if (reasoning !== undefined) yield { type: "reasoning-delta", id: "r", delta: reasoning };
		for (const delta of text.split(/(?<= )/u)) if (delta !== "") yield { type: "text-delta", id: "t", delta };
		await during?.();
		for (const call of calls) yield { type: "tool-call", ...call };
		if (error) yield { type: "error", error: { message: "no", retryable: false, ...error } };
		yield { type: "finish", finishReason: error ? "error" : finish, usage };
	}
}

const usage = {
	inputTokens: { total: 100, cacheRead: 40 },
	outputTokens: { total: 10, reasoning: 2 },
	usd: 0.01,
	isEstimate: false,
};

/** Runs the real loop over these replies and keeps all that went in and out. */
export async function runLoop(replies: Iterable<Reply>, options: LoopOptions = {}) {
	const model = new LoopModel(replies);
	return { ...(await runModel(model, options)), requests: model.requests };
}

/** The same with any model. */
export async function runModel(model: Model, options: LoopOptions = {}) {
	const events: LoopEvent[] = [];
	const executed: ToolCall[] = [];
	const waits: number[] = [];
	const { runTool, emit, ...others } = options;
	const { outcome, usage: used } = await runAgentLoop({
		model,
		system: "You are a subagent.",
		messages: [{ role: "user", text: "Look" }],
		tools: [{ name: "look", description: "Looks.", inputSchema: {} }],
		maxTurns: 50,
		signal: new AbortController().signal,
		isParallelSafe: () => true,
		boundary: () => Promise.resolve([]),
		retryDelay: () => null,
		wait: (ms) => Promise.resolve(void waits.push(ms)),
		...others,
		runTool: (call, signal) => {
			executed.push(call);
			return runTool?.(call, signal) ?? Promise.resolve({ text: `saw ${call.toolCallId}`, isError: false });
		},
		emit: (event) => {
			events.push(event);
			return emit?.(event);
		},
	});
	return { outcome, usage: used, events, executed, waits };
}

export function aCall(toolCallId: string, fields: Partial<ToolCall> = {}): ToolCall {
	return { toolCallId, toolName: "look", input: {}, ...fields };
}

/** The same reply for ever. */
export function* always(reply: Reply): Generator<Reply> {
	for (;;) yield reply;
}

export const said = (text: string): ModelMessage => ({ role: "user", text });

export function nudgesIn(events: readonly LoopEvent[]): string[] {
	return events.flatMap((event) => (event.type === "nudged" ? [event.text] : []));
}

/** The text of a request's last message. */
export function lastText(request: ModelRequest | undefined): string | undefined {
	return request?.messages.at(-1)?.text;
}
