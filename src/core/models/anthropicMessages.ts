import { encodeAnthropic } from "./anthropicRequest.ts";
import type { FinishReason } from "./modelPort.ts";
import type { Answer, PendingCall } from "./wire/answer.ts";
import type { Decoder, Dialect } from "./wire/dialect.ts";
import { countOf, isJson, type Json, jsonOf, listOf, textOf } from "./wire/json.ts";

/** Anthropic's Messages. */
export const anthropicMessages: Dialect = {
	name: "anthropic",
	path: "/messages",
	headers: (key) => ({ "anthropic-version": "2023-06-01", ...(key !== undefined && { "x-api-key": key }) }),
	body: encodeAnthropic,
	decoder: (answer) => new MessagesDecoder(answer),
};

const finishReasons: Readonly<Record<string, FinishReason>> = {
	end_turn: "stop",
	stop_sequence: "stop",
	max_tokens: "length",
	model_context_window_exceeded: "length",
	tool_use: "tool-calls",
	refusal: "content-filter",
};

/** A block while it arrives. */
interface Block {
	readonly type: string;
	readonly call?: PendingCall;
	/** As it came with the start; the pieces, if any, replace it. */
	readonly input?: unknown;
	thinking: string;
	signature: string;
	readonly data: unknown;
}

class MessagesDecoder implements Decoder {
	readonly #answer: Answer;
	readonly #blocks = new Map<unknown, Block>();

	constructor(answer: Answer) {
		this.#answer = answer;
	}

	read(event: Json): void {
		switch (event["type"]) {
			case "content_block_delta":
				return this.#readDelta(event["index"], jsonOf(event["delta"]));
			case "content_block_start":
				return this.#openBlock(event["index"], jsonOf(event["content_block"]));
			case "content_block_stop":
				return this.#closeBlock(event["index"]);
			case "message_start": {
				const message = jsonOf(event["message"]);
				this.#answer.model(message["model"]);
				return this.#readUsage(jsonOf(message["usage"]), false);
			}
			case "message_delta":
				this.#readUsage(jsonOf(event["usage"]), true);
				return this.#readStop(jsonOf(event["delta"])["stop_reason"]);
			case "message_stop":
				return this.readDone();
		}
	}

	readDone(): void {
		// Without a reason to stop it was cut, whatever it says.
		this.#answer.isDone = this.#answer.finishReason !== undefined;
	}

	readWhole(message: Json): void {
		this.#answer.model(message["model"]);
		for (const [index, block] of listOf(message["content"]).entries()) {
			this.#openBlock(index, block);
			this.#closeBlock(index);
		}
		this.#readUsage(jsonOf(message["usage"]), true);
		this.#readStop(message["stop_reason"]);
	}

	#openBlock(index: unknown, content: Json): void {
		const type = textOf(content["type"]);
		if (this.#blocks.has(index)) this.#closeBlock(index);
		this.#answer.closeBlock();
		this.#blocks.set(index, {
			type,
			thinking: textOf(content["thinking"]),
			signature: textOf(content["signature"]),
			data: content["data"],
			...(type === "tool_use" && {
				call: this.#answer.call(textOf(content["id"]), textOf(content["name"])),
				input: content["input"],
			}),
		});
		if (type === "text") this.#answer.text(textOf(content["text"]));
		if (type === "thinking") this.#answer.reasoning(textOf(content["thinking"]));
	}

	#readDelta(index: unknown, delta: Json): void {
		switch (delta["type"]) {
			case "text_delta":
				return this.#answer.text(textOf(delta["text"]));
			case "thinking_delta": {
				const block = this.#blocks.get(index);
				const thought = textOf(delta["thinking"]);
				if (block) block.thinking += thought;
				return this.#answer.reasoning(thought);
			}
			case "signature_delta": {
				const block = this.#blocks.get(index);
				if (block) block.signature += textOf(delta["signature"]);
				return this.#answer.progress();
			}
			case "input_json_delta": {
				const call = this.#blocks.get(index)?.call;
				if (call) this.#answer.appendInput(call, textOf(delta["partial_json"]));
			}
		}
	}

	#closeBlock(index: unknown): void {
		const block = this.#blocks.get(index);
		this.#answer.closeBlock();
		if (!block) return;
		this.#blocks.delete(index);
		const { type, call, input, thinking, signature, data } = block;
		// An input that came whole has no pieces; `{}` is also what a call without arguments begins and ends with.
		if (call && call.json === "" && input !== undefined) call.json = JSON.stringify(input);
		if (type === "thinking" && signature !== "") this.#answer.keep({ type, thinking, signature });
		if (type === "redacted_thinking") this.#answer.keep({ type, data });
	}

	#readStop(reason: unknown): void {
		if (typeof reason === "string") this.#answer.finishReason = finishReasons[reason] ?? "other";
	}

	/** The figures at the end are sums, and newer ones name the input again. */
	#readUsage(usage: Json, isFinal: boolean): void {
		const figures = this.#answer.usage;
		const fresh = countOf(usage["input_tokens"]);
		const read = countOf(usage["cache_read_input_tokens"]);
		const written = countOf(usage["cache_creation_input_tokens"]);
		const before = (figures.input ?? 0) - (figures.cacheRead ?? 0) - (figures.cacheWrite ?? 0);
		if (fresh !== undefined || figures.input !== undefined) {
			figures.cacheRead = read ?? figures.cacheRead ?? 0;
			figures.cacheWrite = written ?? figures.cacheWrite ?? 0;
			figures.input = (fresh ?? before) + figures.cacheRead + figures.cacheWrite;
		}
		if (!isFinal) return;
		figures.output = countOf(usage["output_tokens"]) ?? figures.output;
		const details = usage["output_tokens_details"];
		if (isJson(details)) figures.reasoning = countOf(details["thinking_tokens"]) ?? figures.reasoning;
	}
}
