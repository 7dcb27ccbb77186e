import { messageOf } from "../../core/base/errors.ts";
import { createUuid } from "../../core/base/ids.ts";
import type { FinishReason, ModelPart, ModelRequest, ToolCall, ToolSchema } from "../../core/models/modelPort.ts";
import type { Consents } from "./lmConsents.ts";
import { type LmMessage, type LmPart, textOfMessages, toLmMessages, toModelError } from "./lmMessages.ts";

/** One chat model of VS Code, without its classes. Promises may reject with anything. */
export interface LmChat {
	/** `vendor/id`, as it calls itself. */
	readonly name: string;
	countTokens(text: string): PromiseLike<number>;
	/** Parts that are not known are left out. */
	send(messages: readonly LmMessage[], tools: readonly ToolSchema[]): PromiseLike<AsyncIterable<LmPart>>;
	/** Ends the request for the provider; called once, always. */
	cancel(): void;
}

export interface LmSource {
	/** Finds the model anew for every request: VS Code's list changes. Undefined when there is none of the name. */
	open(): Promise<LmChat | undefined>;
	/** The code of VS Code's own error class. */
	codeOf(error: unknown): string | undefined;
	readonly consents: Consents;
}

const charactersPerToken = 4;

interface Heard {
	text: string;
	calls: number;
}

/** One answer in the port's parts, with everything that the port promises and VS Code's API does not. */
export async function* streamLm(source: LmSource, request: ModelRequest): AsyncGenerator<ModelPart> {
	const { signal } = request;
	const heard: Heard = { text: "", calls: 0 };
	const messages = toLmMessages(request);
	const asked = `${textOfMessages(messages)}\n${JSON.stringify(request.tools)}`;
	let chat: LmChat | undefined;
	let finishReason: FinishReason;
	try {
		chat = await untilAborted(source.open(), signal);
		finishReason = yield* chat ? answer(chat, source, messages, request, heard) : missing();
	} catch (error) {
		finishReason = signal.aborted ? "aborted" : "error";
		if (!signal.aborted) yield { type: "error", error: toModelError(source.codeOf(error), messageOf(error)) };
	} finally {
		// Leaving the stream does not end the request for the provider; only this does.
		chat?.cancel();
	}
	if (signal.aborted) finishReason = "aborted";
	const count = (text: string) => countTokens(chat, text, signal);
	const [input, output] = await Promise.all([count(asked), count(heard.text)]);
	yield {
		type: "finish",
		finishReason,
		usage: {
			inputTokens: { total: input, cacheRead: 0 },
			outputTokens: { total: output, reasoning: 0 },
			usd: null,
			isEstimate: true,
		},
	};
}

function* missing(): Generator<ModelPart, FinishReason> {
	yield { type: "error", error: toModelError("NotFound", "") };
	return "error";
}

async function* answer(
	chat: LmChat,
	{ consents }: LmSource,
	messages: readonly LmMessage[],
	request: ModelRequest,
	heard: Heard,
): AsyncGenerator<ModelPart, FinishReason> {
	const { signal, tools, toolChoice } = request;
	const send = () => Promise.resolve(chat.send(messages, tools));
	const iterator = (await untilAborted(consents.ask(chat.name, send), signal))[Symbol.asyncIterator]();
	yield { type: "response-metadata", modelId: chat.name };
	const usedIds = new Set(
		request.messages
			.flatMap((each) => (each.role === "assistant" ? each.toolCalls : []))
			.map((each) => each.toolCallId),
	);
	let isTextOpen = false;
	for (;;) {
		const next = await untilAborted(iterator.next(), signal);
		if (next.done === true) break;
		const part = next.value;
		if (part.type === "text" && part.text !== "") {
			if (!isTextOpen) yield { type: "text-start", id: "text" };
			isTextOpen = true;
			heard.text += part.text;
			yield { type: "text-delta", id: "text", delta: part.text };
		}
		// The API cannot forbid calls to a model that sees tools, so they are left out here.
		if (part.type !== "call" || toolChoice === "none") continue;
		heard.calls += 1;
		heard.text += `\n${part.name} ${JSON.stringify(part.input)}`;
		yield { type: "tool-call", ...toCall(part, usedIds) };
	}
	if (isTextOpen) yield { type: "text-end", id: "text" };
	return heard.calls > 0 ? "tool-calls" : "stop";
}

/** Providers of VS Code's models hand on what their servers sent, whatever the API's types say. */
function toCall({ id, name, input }: LmPart & { readonly type: "call" }, usedIds: Set<string>): ToolCall {
	const isUsable = typeof id === "string" && id !== "" && !usedIds.has(id);
	const toolCallId = isUsable ? id : `call_${createUuid().replaceAll("-", "")}`;
	usedIds.add(toolCallId);
	if (!name) return { toolCallId, toolName: "unknown", input: {}, inputError: "The call names no tool." };
	const isObject = typeof input === "object" && input !== null && !Array.isArray(input);
	if (isObject) return { toolCallId, toolName: name, input };
	return { toolCallId, toolName: name, input: {}, inputError: "The input is no JSON object." };
}

/** What does not count in time, or at all, is estimated: the figure is marked as an estimate anyway. */
async function countTokens(chat: LmChat | undefined, text: string, signal: AbortSignal): Promise<number> {
	const estimate = Math.ceil(text.length / charactersPerToken);
	if (!chat || text === "" || signal.aborted) return estimate;
	try {
		const counted = await untilAborted(chat.countTokens(text), signal);
		return Number.isFinite(counted) && counted >= 0 ? Math.ceil(counted) : estimate;
	} catch {
		return estimate;
	}
}

/** Rejects at once when the signal fires, also where the other side never settles. */
function untilAborted<Value>(promise: PromiseLike<Value>, signal: AbortSignal): Promise<Value> {
	return new Promise((resolve, reject) => {
		const stop = () => reject(new Error("Stopped"));
		if (signal.aborted) stop();
		signal.addEventListener("abort", stop, { once: true });
		void Promise.resolve(promise)
			.then(resolve, reject)
			.finally(() => signal.removeEventListener("abort", stop));
	});
}
