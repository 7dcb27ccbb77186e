import type { LanguageModelV4FinishReason, LanguageModelV4StreamPart, LanguageModelV4Usage } from "@ai-sdk/provider";
import type { Signed } from "./packageRequest.ts";
import type { Answer, PendingCall } from "./wire/answer.ts";
import { isJson, type Json, jsonOf } from "./wire/json.ts";

type PartOf<Type extends LanguageModelV4StreamPart["type"]> = Extract<LanguageModelV4StreamPart, { type: Type }>;

/** Tells the answer what a package says. Parts that the port has no place for are no failure. */
export class PackageAnswer {
	readonly #answer: Answer;
	readonly #calls = new Map<string, PendingCall>();
	/** Of the block that is open; the last one counts. */
	#metadata: unknown;
	#thought = "";
	/** The server has said something, whatever it was. */
	hasEvents = false;
	readonly #mayCall: boolean;

	/** Without `mayCall`, calls are passed over: the vendor could not be told that there should be none. */
	constructor(answer: Answer, mayCall: boolean) {
		this.#answer = answer;
		this.#mayCall = mayCall;
	}

	read(part: LanguageModelV4StreamPart): void {
		switch (part.type) {
			case "raw":
				return this.#readRaw(part.rawValue);
			case "text-start":
			case "text-delta":
			case "text-end":
				return this.#readText(part);
			case "reasoning-start":
			case "reasoning-delta":
			case "reasoning-end":
				return this.#readReasoning(part);
			case "tool-input-start":
				if (this.#mayCall && !part.providerExecuted)
					this.#calls.set(part.id, this.#answer.call(part.id, part.toolName));
				return;
			case "tool-input-delta":
				return this.#readInput(part);
			case "tool-call":
				return this.#readCall(part);
			case "response-metadata":
				return this.#answer.model(part.modelId);
			case "error":
				return this.#readError(part.error);
			case "finish":
				return this.#readFinish(part.finishReason, part.usage);
			default:
				return;
		}
	}

	#readRaw(raw: unknown): void {
		this.hasEvents = true;
		const event = jsonOf(raw);
		if (isJson(event["error"]) || event["object"] === "error") return this.#answer.complain(event);
		this.#answer.begin();
		this.#answer.model(event["modelVersion"] ?? event["model"]);
	}

	#readText(part: PartOf<"text-start" | "text-delta" | "text-end">): void {
		this.#metadata = part.providerMetadata ?? this.#metadata;
		if (part.type === "text-delta") this.#answer.text(part.delta);
		if (part.type !== "text-end") return;
		this.#answer.closeBlock();
		this.#keep((options) => ({ signs: "text", options }));
	}

	#readReasoning(part: PartOf<"reasoning-start" | "reasoning-delta" | "reasoning-end">): void {
		this.#metadata = part.providerMetadata ?? this.#metadata;
		if (part.type === "reasoning-delta") {
			this.#thought += part.delta;
			this.#answer.reasoning(part.delta);
		}
		if (part.type !== "reasoning-end") return;
		this.#answer.closeBlock();
		const text = this.#thought;
		this.#thought = "";
		this.#keep((options) => ({ signs: "reasoning", text, options }));
	}

	#keep(sign: (options: unknown) => Signed): void {
		const options = this.#metadata;
		this.#metadata = undefined;
		if (options !== undefined) this.#answer.keep(sign(options));
	}

	#readInput({ id, delta }: PartOf<"tool-input-delta">): void {
		const call = this.#calls.get(id);
		if (call) this.#answer.appendInput(call, delta);
	}

	#readCall({ toolCallId, toolName, input, providerExecuted, providerMetadata }: PartOf<"tool-call">): void {
		// What the vendor's own servers have executed is no business of ours; nothing of it is ever asked for.
		if (providerExecuted || !this.#mayCall) return;
		const call = this.#calls.get(toolCallId) ?? this.#answer.call(toolCallId, toolName);
		this.#calls.delete(toolCallId);
		call.json = input;
		this.#answer.progress();
		if (providerMetadata) {
			this.#answer.keep({ signs: "call", id: call.id, options: providerMetadata } satisfies Signed);
		}
	}

	/** Packages give the server's words as data, and their own trouble with an event as an error. */
	#readError(error: unknown): void {
		if (!(error instanceof Error)) {
			const { message, type, code, statusCode } = jsonOf(error);
			return this.#answer.complain({ error: { message, type, status: code, code: statusCode ?? code } });
		}
		this.#answer.complain({ error: { message: `The answer cannot be read: ${error.message}`, type: "unreadable" } });
	}

	/** Without a reason of the server's own the answer was cut, and stays without one. */
	#readFinish({ unified, raw }: LanguageModelV4FinishReason, usage: LanguageModelV4Usage): void {
		this.#readUsage(usage);
		if (unified === "interrupted" || (raw === undefined && (unified === "other" || unified === "error"))) return;
		if (unified === "tool-calls" && !this.#mayCall) this.#answer.finishReason = "stop";
		else if (unified !== "error") this.#answer.finishReason = unified;
		else this.#answer.complain({ error: describeStop(raw ?? "") });
	}

	#readUsage({ inputTokens, outputTokens }: LanguageModelV4Usage): void {
		const figures = this.#answer.usage;
		figures.input = inputTokens.total;
		figures.cacheRead = inputTokens.cacheRead;
		figures.cacheWrite = inputTokens.cacheWrite;
		figures.output = outputTokens.total;
		figures.reasoning = outputTokens.reasoning;
	}
}

/** Google's `MALFORMED_FUNCTION_CALL`, say: the next attempt is another one. */
function describeStop(raw: string): Json {
	return { message: `The model has stopped with a failure of its own: ${raw}`, type: "model_failure" };
}
