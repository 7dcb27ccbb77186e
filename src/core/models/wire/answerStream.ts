import { createParser, type EventSourceParser } from "eventsource-parser";
import type { IncomingHttpHeaders } from "node:http";
import { messageOf } from "../../base/errors.ts";
import type { ModelError, ModelPart, ModelRequest } from "../modelPort.ts";
import type { PricedUsage } from "../priceTable.ts";
import { Answer } from "./answer.ts";
import type { Decoder, Dialect } from "./dialect.ts";
import { addressOf, type Endpoint, prepareCall } from "./endpoint.ts";
import { readHttpFailure, readPayloadFailure } from "./failure.ts";
import { HttpExchange } from "./httpExchange.ts";
import { isJson, type Json } from "./json.ts";
import { PartQueue } from "./partQueue.ts";
import { redact } from "./secretText.ts";

/** One line of the stream; the largest honest ones carry a whole file in a call's input. */
const longestLine = 16 * 1024 * 1024;
/** A server that never stops must not take the extension host with it. */
const longestAnswer = 64 * 1024 * 1024;
const longestErrorBody = 64 * 1024;

export interface WireTarget {
	readonly dialect: Dialect;
	readonly endpoint: Endpoint;
	readonly modelId: string;
	readonly priceOf: (modelId: string, usage: PricedUsage) => number | null;
}

/** One request to one server, as the port's parts. */
export class AnswerStream {
	readonly #target: WireTarget;
	readonly #request: ModelRequest;
	readonly #queue: PartQueue;
	readonly #answer: Answer;
	readonly #decoder: Decoder;
	readonly #onAbort = () => this.#finish(true);
	readonly #body: string | undefined;
	#parser: EventSourceParser | undefined;
	#exchange: HttpExchange | undefined;
	#secrets: readonly string[] = [];
	#failureHead: { readonly status: number; readonly headers: IncomingHttpHeaders } | undefined;
	/** What has come before it is known what it is, then the whole JSON or error body. */
	#held = "";
	#mode: "unknown" | "events" | "whole" = "unknown";
	#received = 0;
	#hasEvents = false;
	#isAtEnd = false;
	#isFinished = false;

	/** Begins to ask at once. */
	static open(target: WireTarget, request: ModelRequest): AsyncIterator<ModelPart, undefined> {
		const stream = new AnswerStream(target, request);
		void stream.#start();
		return stream.#queue;
	}

	private constructor(target: WireTarget, request: ModelRequest) {
		const { dialect, modelId, priceOf } = target;
		this.#target = target;
		this.#request = request;
		this.#queue = new PartQueue({
			pause: () => this.#exchange?.pause(),
			resume: () => this.#exchange?.resume(),
			cancel: () => this.#finish(true),
		});
		this.#body = encodeBody(target, request);
		this.#answer = new Answer({
			dialect: dialect.name,
			modelId,
			requestLength: this.#body?.length ?? 0,
			usedIds: usedIds(request),
			push: (part) => this.#queue.push(part),
			priceOf,
			readFailure: (payload) => this.#readFailure(payload),
			...(request.onProgress && { onProgress: request.onProgress }),
		});
		this.#decoder = dialect.decoder(this.#answer);
	}

	async #start(): Promise<void> {
		const { signal } = this.#request;
		if (signal.aborted) return this.#finish(true);
		signal.addEventListener("abort", this.#onAbort, { once: true });
		const { dialect, endpoint } = this.#target;
		const body = this.#body;
		if (body === undefined) {
			return this.#fail({
				kind: "bad-request",
				message: "The conversation cannot be written as JSON.",
				retryable: false,
			});
		}
		const prepared = await prepareCall(endpoint, dialect, { method: "POST", path: dialect.path, body });
		if (this.#isFinished) return;
		if ("error" in prepared) return this.#fail(prepared.error);
		this.#secrets = prepared.secrets;
		this.#exchange = new HttpExchange(prepared.call, {
			onHead: (status, headers) => this.#onHead(status, headers),
			onText: (text) => this.#onText(text),
			onEnd: () => this.#guard(() => this.#onEnd()),
			onFailure: (error) => this.#onCut(error),
		});
	}

	#onHead(status: number, headers: IncomingHttpHeaders): void {
		if (status < 200 || status >= 300) this.#failureHead = { status, headers };
	}

	#onText(text: string): void {
		this.#received += text.length;
		if (this.#failureHead) {
			this.#held += text;
			if (this.#held.length > longestErrorBody) this.#onEnd();
		} else if (this.#received > longestAnswer) {
			this.#fail({ kind: "protocol", message: "The answer is longer than any answer should be.", retryable: false });
		} else this.#guard(() => this.#feed(text));
	}

	#feed(text: string): void {
		if (this.#mode === "events") this.#parser?.feed(text);
		else {
			this.#held += text;
			if (this.#mode === "unknown") this.#sniff();
		}
	}

	/** The first character tells more than the content type: servers send streams as plain text and errors as streams. */
	#sniff(): void {
		const first = this.#held.trimStart().charAt(0);
		if (first === "") return;
		if (first === "{") {
			this.#mode = "whole";
		} else if (first === "<") {
			this.#fail({ kind: "protocol", message: "The server answers with a web page, not as a model.", retryable: true });
		} else {
			this.#mode = "events";
			this.#parser = createParser({
				maxBufferSize: longestLine,
				onEvent: ({ data }) => this.#onEvent(data),
				onError: ({ type }) => {
					if (type !== "max-buffer-size-exceeded") return;
					this.#fail({ kind: "protocol", message: "A line of the answer is too long.", retryable: false });
				},
			});
			const text = this.#held;
			this.#held = text.slice(0, longestErrorBody);
			this.#parser.feed(text);
		}
	}

	#onEvent(data: string): void {
		if (this.#isFinished) return;
		this.#hasEvents = true;
		if (data === "[DONE]") this.#decoder.readDone();
		else if (data !== "") {
			let event: unknown;
			try {
				event = JSON.parse(data);
			} catch {
				// The last line of a stream that was cut is only half there.
				if (!this.#isAtEnd) this.#failAsGarbage(data);
				return;
			}
			if (!isJson(event) || this.#hasComplained(event)) return;
			this.#answer.begin();
			this.#decoder.read(event);
		}
		const { failure, isDone } = this.#answer;
		if (failure || isDone) this.#finish(false);
	}

	#hasComplained(payload: Json): boolean {
		const { error } = payload;
		if (error === undefined || error === null || error === false) return false;
		this.#fail(this.#readFailure(payload));
		return true;
	}

	/** The secrets go first: a shortened text may hold half of one. */
	#readFailure(payload: Json): ModelError {
		return readPayloadFailure(JSON.parse(redact(JSON.stringify(payload), this.#secrets)) as Json);
	}

	#failAsGarbage(text: string): void {
		const sample = redact(text.slice(0, 2000), this.#secrets).slice(0, 120);
		const message = sample.trim() === "" ? "The answer is empty." : `The answer cannot be read: ${sample}`;
		this.#fail({ kind: "protocol", message, retryable: true });
	}

	#onEnd(): void {
		if (this.#failureHead) {
			const { status, headers } = this.#failureHead;
			this.#fail(readHttpFailure(status, headers, redact(this.#held, this.#secrets)));
		} else if (this.#mode === "whole") this.#readWhole();
		else {
			this.#isAtEnd = true;
			this.#parser?.feed("\n\n");
			if (this.#isFinished) return;
			if (this.#answer.finishReason) this.#finish(false);
			else if (this.#hasEvents) this.#onCut(undefined);
			else this.#failAsGarbage(this.#held);
		}
	}

	#readWhole(): void {
		let whole: unknown;
		try {
			whole = JSON.parse(this.#held.trim());
		} catch {
			return this.#failAsGarbage(this.#held);
		}
		if (!isJson(whole) || this.#hasComplained(whole)) return;
		this.#answer.begin();
		this.#decoder.readWhole(whole);
		if (this.#answer.finishReason || this.#answer.failure) this.#finish(false);
		else this.#failAsGarbage(this.#held);
	}

	/** The connection is gone. An answer that has said why it stops is whole all the same. */
	#onCut(error: ModelError | undefined): void {
		if (this.#failureHead) return this.#onEnd();
		if (this.#answer.finishReason) return this.#finish(false);
		const message = "The connection was cut in the middle of the answer.";
		this.#fail(error && this.#received === 0 ? error : { kind: "network", message, retryable: true });
	}

	/** The port promises never to throw, also when a decoder has a bug. */
	#guard(read: () => void): void {
		try {
			read();
		} catch (error) {
			const message = redact(`The answer cannot be read: ${messageOf(error)}`, this.#secrets);
			this.#fail({ kind: "protocol", message, retryable: false });
		}
	}

	#fail(error: ModelError): void {
		if (this.#isFinished) return;
		this.#answer.fail(error);
		this.#finish(false);
	}

	#finish(isAborted: boolean): void {
		if (this.#isFinished) return;
		this.#isFinished = true;
		this.#request.signal.removeEventListener("abort", this.#onAbort);
		if (isAborted || this.#answer.failure) this.#exchange?.close();
		else this.#exchange?.release();
		this.#answer.finish(isAborted);
		this.#queue.end();
	}
}

/** `undefined` for what no JSON can hold. A wrong address is told later, together with a wrong key. */
function encodeBody({ dialect, endpoint, modelId }: WireTarget, request: ModelRequest): string | undefined {
	const address = addressOf(endpoint);
	if ("error" in address) return "";
	try {
		return JSON.stringify(dialect.body(modelId, request, address.url));
	} catch {
		return undefined;
	}
}

export function usedIds({ messages }: ModelRequest): Set<string> {
	const ids = new Set<string>();
	for (const message of messages) {
		if (message.role === "assistant") for (const { toolCallId } of message.toolCalls) ids.add(toolCallId);
	}
	return ids;
}
