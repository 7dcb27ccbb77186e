import type { FinishReason, ModelMessage, ModelRequest, ToolCall } from "./modelPort.ts";
import type { Answer, PendingCall } from "./wire/answer.ts";
import type { Decoder, Dialect } from "./wire/dialect.ts";
import { clean, countOf, isJson, type Json, jsonOf, listOf, textOf } from "./wire/json.ts";
import { nameOnWire } from "./wire/nameOnWire.ts";

/** OpenAI's Chat Completions, as nearly every server speaks it. */
export const chatCompletions: Dialect = {
	name: "chat",
	path: "/chat/completions",
	headers: (key): Record<string, string> => (key === undefined ? {} : { authorization: `Bearer ${key}` }),
	body: encode,
	decoder: (answer) => new ChatDecoder(answer),
};

function encode(modelId: string, request: ModelRequest, baseUrl: URL): Json {
	const { system, messages, tools, reasoning, toolChoice, maxOutputTokens } = request;
	// OpenAI's newer models refuse the old name, other servers do not know the new one.
	const limit = baseUrl.hostname.endsWith(".openai.com") ? "max_completion_tokens" : "max_tokens";
	return {
		model: modelId,
		messages: [...(system === "" ? [] : [{ role: "system", content: clean(system) }]), ...messages.map(encodeMessage)],
		stream: true,
		stream_options: { include_usage: true },
		...(tools.length > 0 && {
			tools: tools.map(({ name, description, inputSchema }) => ({
				type: "function",
				function: { name, description, parameters: inputSchema },
			})),
			tool_choice: toolChoice ?? "auto",
		}),
		...(reasoning && { reasoning_effort: reasoning }),
		...(maxOutputTokens !== undefined && { [limit]: maxOutputTokens }),
	};
}

function encodeMessage(message: ModelMessage): Json {
	const text = clean(message.text);
	switch (message.role) {
		case "user":
			return { role: "user", content: text };
		case "tool":
			return { role: "tool", tool_call_id: message.toolCallId, content: message.isError ? `Error: ${text}` : text };
		case "assistant":
			if (message.toolCalls.length === 0) return { role: "assistant", content: text };
			return { role: "assistant", content: text === "" ? null : text, tool_calls: message.toolCalls.map(encodeCall) };
	}
}

function encodeCall({ toolCallId, toolName, input }: ToolCall): Json {
	const json = JSON.stringify(jsonOf(input));
	return { id: toolCallId, type: "function", function: { name: nameOnWire(toolName), arguments: json } };
}

const finishReasons: Readonly<Record<string, FinishReason>> = {
	stop: "stop",
	eos: "stop",
	length: "length",
	max_tokens: "length",
	content_filter: "content-filter",
	tool_calls: "tool-calls",
	function_call: "tool-calls",
};

/** A call as the server numbers it. */
interface NumberedCall {
	readonly pending: PendingCall;
	readonly index: number | undefined;
	sentId: string;
}

class ChatDecoder implements Decoder {
	readonly #answer: Answer;
	readonly #calls: NumberedCall[] = [];

	constructor(answer: Answer) {
		this.#answer = answer;
	}

	read(event: Json): void {
		if (!this.#answer.hasModel) this.#answer.model(event["model"]);
		const { choices, usage } = event;
		if (isJson(usage)) this.#readUsage(usage);
		const choice: unknown = Array.isArray(choices) ? choices[0] : undefined;
		if (!isJson(choice)) return;
		if (isJson(choice["delta"])) this.#readMessage(choice["delta"]);
		this.#readFinish(choice);
	}

	readWhole(whole: Json): void {
		this.#answer.model(whole["model"]);
		if (isJson(whole["usage"])) this.#readUsage(whole["usage"]);
		const [choice] = listOf(whole["choices"]);
		if (!choice) return;
		this.#readMessage(jsonOf(choice["message"]));
		this.#readFinish({ ...choice, finish_reason: choice["finish_reason"] ?? "stop" });
	}

	readDone(): void {
		this.#answer.finishReason ??= "stop";
		this.#answer.isDone = true;
	}

	#readMessage(delta: Json): void {
		const { content, refusal, tool_calls: calls } = delta;
		const thought = delta["reasoning_content"] ?? delta["reasoning"];
		if (typeof thought === "string" && thought !== "") this.#answer.reasoning(thought);
		if (typeof content === "string") this.#answer.text(content);
		else if (Array.isArray(content)) for (const part of listOf(content)) this.#readPart(part);
		if (typeof refusal === "string") this.#answer.text(refusal);
		if (Array.isArray(calls)) for (const call of listOf(calls)) this.#readCall(call);
	}

	/** Mistral's content is a list, with the thinking in it. */
	#readPart(part: Json): void {
		if (part["type"] === "text") this.#answer.text(textOf(part["text"]));
		for (const thought of listOf(part["thinking"])) this.#answer.reasoning(textOf(thought["text"]));
	}

	#readFinish({ finish_reason: reason, error }: Json): void {
		if (isJson(error)) this.#answer.complain({ error });
		if (typeof reason !== "string" || reason === "") return;
		this.#answer.finishReason = finishReasons[reason] ?? "other";
	}

	#readCall(delta: Json): void {
		const called = jsonOf(delta["function"]);
		const id = textOf(delta["id"]);
		const name = textOf(called["name"]);
		const args = isJson(called["arguments"]) ? JSON.stringify(called["arguments"]) : textOf(called["arguments"]);
		const index = countOf(delta["index"]);
		const known = this.#find(index, id, name);
		if (known) {
			if (known.pending.name === "") known.pending.name = name;
			if (known.sentId === "" && id !== "") {
				known.sentId = id;
				this.#answer.renameCall(known.pending, id);
			}
			this.#answer.appendInput(known.pending, args);
			return;
		}
		const pending = this.#answer.call(id, name);
		this.#answer.appendInput(pending, args);
		this.#calls.push({ pending, index, sentId: id });
	}

	/**
	 * Which call a piece belongs to. Some servers number every call 0, some give no number, some repeat the id with every
	 * piece and some give two calls the same id; a name with another id, or after a complete input, begins a new call.
	 */
	#find(index: number | undefined, id: string, name: string): NumberedCall | undefined {
		const last = this.#calls.at(-1);
		const known =
			index === undefined
				? id === ""
					? last
					: this.#calls.findLast(({ sentId }) => sentId === id)
				: this.#calls.findLast((call) => call.index === index);
		if (!known || name === "" || known.pending.name === "") return known;
		if (id !== "" && known.sentId !== "" && known.sentId !== id) return undefined;
		if (index !== undefined && id !== "") return known;
		return isComplete(known.pending.json) ? undefined : known;
	}

	#readUsage(usage: Json): void {
		const sent = jsonOf(usage["prompt_tokens_details"]);
		const made = jsonOf(usage["completion_tokens_details"]);
		const figures = this.#answer.usage;
		figures.input = countOf(usage["prompt_tokens"]);
		figures.cacheRead = countOf(sent["cached_tokens"]) ?? countOf(usage["prompt_cache_hit_tokens"]);
		figures.output = countOf(usage["completion_tokens"]);
		figures.reasoning = countOf(made["reasoning_tokens"]);
	}
}

function isComplete(json: string): boolean {
	try {
		JSON.parse(json);
		return true;
	} catch {
		return false;
	}
}
