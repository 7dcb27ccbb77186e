import { messageOf } from "../../base/errors.ts";
import { createUuid } from "../../base/ids.ts";
import type { FinishReason, ModelError, ModelPart, ModelUsage, ToolCall } from "../modelPort.ts";
import type { PricedUsage } from "../priceTable.ts";
import { isJson, type Json } from "./json.ts";
import type { LayoutBlock, Replay } from "./replayLayout.ts";

const charactersPerToken = 4;

/** A tool call while its pieces arrive. */
export interface PendingCall {
	id: string;
	name: string;
	json: string;
}

export interface AnswerOptions {
	readonly dialect: string;
	readonly modelId: string;
	/** In characters, for the estimate where the server counts nothing. */
	readonly requestLength: number;
	/** Of earlier calls in the conversation: some servers begin again with `call_0` in every answer. */
	readonly usedIds: ReadonlySet<string>;
	readonly push: (part: ModelPart) => void;
	/** Payload has arrived that makes no part yet. */
	readonly onProgress?: () => void;
	readonly priceOf: (modelId: string, usage: PricedUsage) => number | null;
	/** The server's own words about a failure, without secrets. */
	readonly readFailure: (payload: Json) => ModelError;
}

/** Figures as the server gave them; what it did not give is estimated. */
export interface ReportedUsage {
	input?: number | undefined;
	cacheRead?: number | undefined;
	cacheWrite?: number | undefined;
	output?: number | undefined;
	reasoning?: number | undefined;
}

/** One answer of a model while it arrives: what every dialect has in common, and what the port promises about it. */
export class Answer {
	readonly #options: AnswerOptions;
	readonly #calls: PendingCall[] = [];
	readonly #layout: LayoutBlock[] = [];
	#open: "text" | "reasoning" | undefined;
	#openId = "";
	#blocks = 0;
	#written = { text: 0, reasoning: 0 };
	#modelId: string;
	#textAt = 0;
	#hasBegun = false;
	readonly usage: ReportedUsage = {};
	/** Known as soon as the server says why it stops; from then on the answer is whole. */
	finishReason: FinishReason | undefined;
	/** Nothing that follows matters. */
	isDone = false;
	failure: ModelError | undefined;
	hasModel = false;

	constructor(options: AnswerOptions) {
		this.#options = options;
		this.#modelId = options.modelId;
	}

	/** The server took the request, so it may cost something. */
	begin(): void {
		this.#hasBegun = true;
	}

	/** The model that really answers. */
	model(modelId: unknown): void {
		if (this.hasModel || typeof modelId !== "string" || modelId === "") return;
		this.hasModel = true;
		this.#modelId = modelId;
		this.#options.push({ type: "response-metadata", modelId });
	}

	text(delta: string): void {
		if (delta === "") return;
		if (this.#open !== "text") this.#openBlock("text");
		this.#written.text += delta.length;
		this.#options.push({ type: "text-delta", id: this.#openId, delta });
	}

	reasoning(delta: string): void {
		if (delta === "") return;
		if (this.#open !== "reasoning") this.#openBlock("reasoning");
		this.#written.reasoning += delta.length;
		this.#options.push({ type: "reasoning-delta", id: this.#openId, delta });
	}

	#openBlock(kind: "text" | "reasoning"): void {
		this.closeBlock();
		this.#blocks += 1;
		this.#open = kind;
		this.#openId = `${kind}-${this.#blocks}`;
		this.#options.push({ type: `${kind}-start`, id: this.#openId });
	}

	closeBlock(): void {
		if (!this.#open) return;
		this.#options.push({ type: `${this.#open}-end`, id: this.#openId });
		this.#open = undefined;
	}

	/** A new call. Its id is settled here: a missing or used one is replaced. */
	call(id: string, name: string): PendingCall {
		const call = { id: this.#freeId(id), name, json: "" };
		this.#calls.push(call);
		this.#keepText();
		this.#layout.push({ call: call.id });
		return call;
	}

	#freeId(wanted: string): string {
		if (wanted !== "" && this.#isFree(wanted)) return wanted;
		return `call_${createUuid().replaceAll("-", "")}`;
	}

	#isFree(id: string): boolean {
		return !this.#options.usedIds.has(id) && this.#calls.every((call) => call.id !== id);
	}

	/** The id may come after the first piece. */
	renameCall(call: PendingCall, id: string): void {
		if (!this.#isFree(id)) return;
		const at = this.#layout.findIndex((block) => "call" in block && block.call === call.id);
		this.#layout[at] = { call: id };
		call.id = id;
	}

	appendInput(call: PendingCall, json: string): void {
		if (json === "") return;
		call.json += json;
		this.#options.onProgress?.();
	}

	/** Payload that nobody sees, as signatures are. */
	progress(): void {
		this.#options.onProgress?.();
	}

	/** Something of the adapter's own that belongs here in the answer when it is sent back. */
	keep(own: unknown): void {
		this.#keepText();
		this.#layout.push({ own });
	}

	#keepText(): void {
		const text = this.#written.text - this.#textAt;
		if (text > 0) this.#layout.push({ text });
		this.#textAt = this.#written.text;
	}

	/** The server says in the middle of the answer that it has failed. */
	complain(payload: Json): void {
		this.fail(this.#options.readFailure(payload));
	}

	fail(error: ModelError): void {
		if (this.failure) return;
		this.failure = error;
		this.closeBlock();
		this.#options.push({ type: "error", error });
	}

	/** The last parts. The caller has made sure that the answer is whole, failed or aborted. */
	finish(isAborted: boolean): void {
		this.closeBlock();
		if (!isAborted && !this.failure) this.#pushWhole();
		const hasCalls = this.#calls.length > 0;
		const said = this.finishReason === "stop" && hasCalls ? "tool-calls" : this.finishReason;
		const failed = this.failure ? "error" : undefined;
		const finishReason = failed ?? (isAborted ? "aborted" : (said ?? "other"));
		this.#options.push({ type: "finish", finishReason, usage: this.#countUsage() });
	}

	#pushWhole(): void {
		const { dialect, modelId, push } = this.#options;
		this.#keepText();
		if (this.#layout.some((block) => "own" in block)) {
			push({ type: "replay", data: { dialect, modelId, blocks: this.#layout } satisfies Replay });
		}
		const isCut = this.finishReason === "length";
		for (const call of this.#calls) push({ type: "tool-call", ...readCall(call, isCut) });
	}

	#countUsage(): ModelUsage {
		const { requestLength, modelId, priceOf } = this.#options;
		if (!this.#hasBegun) return { ...tokens(0, 0, 0, 0), usd: 0, isEstimate: false };
		const { input, cacheRead = 0, cacheWrite = 0, output, reasoning } = this.usage;
		const calls = this.#calls.reduce((sum, { json }) => sum + json.length, 0);
		const { text, reasoning: thought } = this.#written;
		const usage = tokens(
			input ?? toTokens(requestLength),
			cacheRead,
			output ?? toTokens(text + thought + calls),
			reasoning ?? (output === undefined ? toTokens(thought) : 0),
		);
		const priced = { ...usage, cacheWrite };
		return {
			...usage,
			usd: priceOf(modelId, priced) ?? priceOf(this.#modelId, priced),
			isEstimate: input === undefined || output === undefined,
		};
	}
}

const toTokens = (characters: number) => Math.ceil(characters / charactersPerToken);

function tokens(input: number, cacheRead: number, output: number, reasoning: number) {
	return { inputTokens: { total: input, cacheRead }, outputTokens: { total: output, reasoning } };
}

/** No arguments at all is how many servers write `{}`; in an answer that was cut it means nothing. Else nothing is guessed. */
function readCall({ id, name, json }: PendingCall, isCut: boolean): ToolCall {
	const call = { toolCallId: id, toolName: name || "unknown" };
	if (name === "") return { ...call, input: {}, inputError: "The call names no tool." };
	if (json.trim() === "") {
		return isCut ? { ...call, input: {}, inputError: "The answer was cut before the input." } : { ...call, input: {} };
	}
	try {
		const input: unknown = JSON.parse(json);
		if (isJson(input)) return { ...call, input };
		return { ...call, input: {}, inputError: "The input is no JSON object." };
	} catch (error) {
		const reason = isCut ? "The answer was cut inside the input" : "The input is no valid JSON";
		return { ...call, input: {}, inputError: `${reason}: ${messageOf(error).slice(0, 200)}` };
	}
}
