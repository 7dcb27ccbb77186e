import type { ModelMessage, ModelRequest } from "./modelPort.ts";
import type { Answer, PendingCall } from "./wire/answer.ts";
import type { Decoder, Dialect } from "./wire/dialect.ts";
import { clean, countOf, isJson, type Json, jsonOf, listOf, textOf } from "./wire/json.ts";
import { nameOnWire } from "./wire/nameOnWire.ts";
import { type AssistantBlock, layOut } from "./wire/replayLayout.ts";

/** OpenAI's Responses. Nothing is stored there; the encrypted reasoning goes back with the conversation. */
export const openaiResponses: Dialect = {
	name: "responses",
	path: "/responses",
	headers: (key): Record<string, string> => (key === undefined ? {} : { authorization: `Bearer ${key}` }),
	body: encode,
	decoder: (answer) => new ResponsesDecoder(answer),
};

/** They refuse a request that asks for reasoning. */
const withoutReasoning = /^(?:gpt-[34]|chatgpt-4)/u;

function encode(modelId: string, request: ModelRequest): Json {
	const { system, messages, tools, reasoning, toolChoice, maxOutputTokens } = request;
	return {
		model: modelId,
		...(system !== "" && { instructions: clean(system) }),
		input: messages.flatMap((message) => encodeMessage(message, modelId)),
		stream: true,
		store: false,
		...(!withoutReasoning.test(modelId) && { include: ["reasoning.encrypted_content"] }),
		...(tools.length > 0 && {
			tools: tools.map(({ name, description, inputSchema }) => ({
				type: "function",
				name,
				description,
				parameters: inputSchema,
				strict: false,
			})),
			tool_choice: toolChoice ?? "auto",
		}),
		...(reasoning && { reasoning: { effort: reasoning, summary: "auto" } }),
		...(maxOutputTokens !== undefined && { max_output_tokens: maxOutputTokens }),
	};
}

function encodeMessage(message: ModelMessage, modelId: string): Json[] {
	switch (message.role) {
		case "user":
			return [{ type: "message", role: "user", content: [{ type: "input_text", text: clean(message.text) }] }];
		case "tool": {
			const output = clean(message.isError ? `Error: ${message.text}` : message.text);
			return [{ type: "function_call_output", call_id: message.toolCallId, output }];
		}
		case "assistant":
			return layOut(message, openaiResponses.name, modelId).flatMap(encodeBlock);
	}
}

function encodeBlock(block: AssistantBlock): Json[] {
	if ("own" in block) return isJson(block.own) ? [block.own] : [];
	if ("text" in block) {
		return [{ type: "message", role: "assistant", content: [{ type: "output_text", text: clean(block.text) }] }];
	}
	const { toolCallId, toolName, input } = block.call;
	const json = JSON.stringify(jsonOf(input));
	return [{ type: "function_call", call_id: toolCallId, name: nameOnWire(toolName), arguments: json }];
}

/** An item of the output while it arrives. */
interface Item {
	call?: PendingCall;
	hasText: boolean;
	hasReasoning: boolean;
	isDone: boolean;
}

class ResponsesDecoder implements Decoder {
	readonly #answer: Answer;
	readonly #items = new Map<number, Item>();
	/** Of the item that events without a place mean. */
	#place = 0;
	#hasRefused = false;

	constructor(answer: Answer) {
		this.#answer = answer;
	}

	read(event: Json): void {
		switch (event["type"]) {
			case "response.output_text.delta":
			case "response.refusal.delta":
				this.#item(event).hasText = true;
				this.#hasRefused ||= event["type"] === "response.refusal.delta";
				return this.#answer.text(textOf(event["delta"]));
			case "response.reasoning_summary_text.delta":
			case "response.reasoning_text.delta":
				this.#item(event).hasReasoning = true;
				return this.#answer.reasoning(textOf(event["delta"]));
			case "response.reasoning_summary_part.done":
				return this.#answer.closeBlock();
			case "response.function_call_arguments.delta":
				return this.#readArguments(event);
			case "response.output_item.added":
				return this.#openItem(event, jsonOf(event["item"]));
			case "response.output_item.done":
				return this.#readItem(event, jsonOf(event["item"]));
			case "response.created":
			case "response.in_progress":
				return this.#answer.model(jsonOf(event["response"])["model"]);
			case "response.completed":
			case "response.incomplete":
			case "response.failed":
				return this.readWhole(jsonOf(event["response"]), textOf(event["type"]).slice("response.".length));
			case "error":
				return this.#answer.complain(event);
		}
	}

	readDone(): void {
		// Others send it; here the last event has said it already, or the answer was cut.
		this.#answer.isDone = this.#answer.finishReason !== undefined;
	}

	readWhole(response: Json, status: string = textOf(response["status"])): void {
		this.#answer.model(response["model"]);
		for (const [index, item] of listOf(response["output"]).entries()) this.#readItem({ output_index: index }, item);
		if (isJson(response["usage"])) this.#readUsage(response["usage"]);
		if (status === "failed") return this.#answer.complain({ error: response["error"] ?? {} });
		const { reason } = jsonOf(response["incomplete_details"]);
		if (status === "completed") this.#answer.finishReason = this.#hasRefused ? "content-filter" : "stop";
		else if (reason === "max_output_tokens") this.#answer.finishReason = "length";
		else if (reason === "content_filter") this.#answer.finishReason = "content-filter";
		else if (status === "incomplete" || status === "cancelled") this.#answer.finishReason = "other";
		this.#answer.isDone = this.#answer.finishReason !== undefined;
	}

	/** Events name their item by its place; servers that leave it out send one item after the other. */
	#item(event: Json): Item {
		const place = countOf(event["output_index"]) ?? this.#place;
		let item = this.#items.get(place);
		if (!item) {
			item = { hasText: false, hasReasoning: false, isDone: false };
			this.#items.set(place, item);
		}
		return item;
	}

	#openItem(event: Json, item: Json): void {
		if (event["output_index"] === undefined && this.#items.has(this.#place)) this.#place += 1;
		const known = this.#item(event);
		if (item["type"] !== "function_call" || known.call) return;
		known.call = this.#answer.call(textOf(item["call_id"]), textOf(item["name"]));
	}

	#readArguments(event: Json): void {
		const item = this.#item(event);
		item.call ??= this.#answer.call("", "");
		this.#answer.appendInput(item.call, textOf(event["delta"]));
	}

	/** A complete item: what its pieces have not said already. */
	#readItem(event: Json, item: Json): void {
		const known = this.#item(event);
		if (event["output_index"] === undefined) this.#place += 1;
		if (known.isDone) return;
		known.isDone = true;
		if (item["type"] === "function_call") this.#completeCall(known, item);
		else if (item["type"] === "message") this.#completeText(known, item);
		else if (item["type"] === "reasoning") this.#completeReasoning(known, item);
		this.#answer.closeBlock();
	}

	#completeCall(known: Item, item: Json): void {
		const id = textOf(item["call_id"]);
		known.call ??= this.#answer.call(id, textOf(item["name"]));
		if (known.call.name === "") {
			known.call.name = textOf(item["name"]);
			if (id !== "") this.#answer.renameCall(known.call, id);
		}
		if (typeof item["arguments"] === "string") known.call.json = item["arguments"];
	}

	#completeText(known: Item, item: Json): void {
		for (const part of listOf(item["content"])) {
			if (part["type"] === "refusal") this.#hasRefused = true;
			if (!known.hasText) this.#answer.text(textOf(part["text"]) || textOf(part["refusal"]));
		}
	}

	#completeReasoning(known: Item, item: Json): void {
		const summary = listOf(item["summary"]);
		if (!known.hasReasoning) for (const part of summary) this.#answer.reasoning(textOf(part["text"]));
		const { id, encrypted_content: encrypted } = item;
		if (typeof encrypted !== "string" || encrypted === "") return;
		this.#answer.keep({
			type: "reasoning",
			...(typeof id === "string" && { id }),
			summary,
			encrypted_content: encrypted,
		});
	}

	#readUsage(usage: Json): void {
		const figures = this.#answer.usage;
		figures.input = countOf(usage["input_tokens"]);
		figures.cacheRead = countOf(jsonOf(usage["input_tokens_details"])["cached_tokens"]);
		figures.output = countOf(usage["output_tokens"]);
		figures.reasoning = countOf(jsonOf(usage["output_tokens_details"])["reasoning_tokens"]);
	}
}
