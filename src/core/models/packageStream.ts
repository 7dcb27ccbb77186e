import type { LanguageModelV4CallOptions, LanguageModelV4StreamPart } from "@ai-sdk/provider";
import { messageOf } from "../base/errors.ts";
import type { ModelError, ModelPart, ModelRequest } from "./modelPort.ts";
import { PackageAnswer } from "./packageAnswer.ts";
import { encodeForPackage } from "./packageRequest.ts";
import type { PricedUsage } from "./priceTable.ts";
import type { Vendor } from "./vendors.ts";
import { Answer } from "./wire/answer.ts";
import { usedIds } from "./wire/answerStream.ts";
import type { Endpoint } from "./wire/endpoint.ts";
import { ExchangeFetch, standInAddress } from "./wire/exchangeFetch.ts";
import { readPayloadFailure } from "./wire/failure.ts";
import { isJson, type Json, jsonOf } from "./wire/json.ts";
import { PartQueue } from "./wire/partQueue.ts";
import { redact } from "./wire/secretText.ts";

export interface PackageTarget {
	/** As it stands in `replay`. */
	readonly wire: string;
	readonly vendor: Vendor;
	readonly endpoint: Endpoint;
	readonly modelId: string;
	readonly priceOf: (modelId: string, usage: PricedUsage) => number | null;
}

/** One request through a package of the AI SDK, as the port's parts. */
export class PackageStream {
	readonly #target: PackageTarget;
	readonly #request: ModelRequest;
	readonly #queue: PartQueue;
	readonly #answer: Answer;
	readonly #decoder: PackageAnswer;
	readonly #exchange: ExchangeFetch;
	readonly #options: LanguageModelV4CallOptions | undefined;
	readonly #onAbort = () => this.#finish(true);
	/** While the reader is behind. */
	#paused: PromiseWithResolvers<void> | undefined;
	#isFinished = false;

	/** Begins to ask at once. */
	static open(target: PackageTarget, request: ModelRequest): AsyncIterator<ModelPart, undefined> {
		const stream = new PackageStream(target, request);
		void stream.#start();
		return stream.#queue;
	}

	private constructor(target: PackageTarget, request: ModelRequest) {
		const { wire, vendor, endpoint, modelId, priceOf } = target;
		this.#target = target;
		this.#request = request;
		this.#queue = new PartQueue({
			pause: () => {
				this.#paused ??= Promise.withResolvers<void>();
			},
			resume: () => this.#resume(),
			cancel: () => this.#finish(true),
		});
		this.#exchange = new ExchangeFetch(endpoint, vendor, (error) => this.#fail(error));
		const encoded = encode(target, request);
		this.#options = encoded?.options;
		this.#answer = new Answer({
			dialect: wire,
			modelId,
			requestLength: encoded?.length ?? 0,
			usedIds: usedIds(request),
			push: (part) => this.#queue.push(part),
			priceOf,
			readFailure: (payload) => this.#readFailure(payload),
			...(request.onProgress && { onProgress: request.onProgress }),
		});
		const mayCall = request.toolChoice !== "none" || !target.vendor.rules?.dropsForbiddenCalls;
		this.#decoder = new PackageAnswer(this.#answer, mayCall);
	}

	async #start(): Promise<void> {
		const { signal } = this.#request;
		if (signal.aborted) return this.#finish(true);
		signal.addEventListener("abort", this.#onAbort, { once: true });
		const options = this.#options;
		if (!options) {
			const message = "The conversation cannot be written as JSON.";
			return this.#fail({ kind: "bad-request", message, retryable: false });
		}
		let stream: ReadableStream<LanguageModelV4StreamPart> | undefined;
		try {
			stream = await this.#ask(options);
			if (stream) await this.#read(stream);
		} catch (error) {
			this.#failOn(error, stream !== undefined);
		}
	}

	async #ask(options: LanguageModelV4CallOptions) {
		const { vendor, modelId } = this.#target;
		const { fetch } = this.#exchange;
		// Without a key a package would look for one in the environment.
		const settings = { baseURL: standInAddress, apiKey: "none", fetch };
		const model = await vendor.open(modelId, settings);
		if (this.#isFinished) return undefined;
		const { stream } = await model.doStream(options);
		return stream;
	}

	async #read(stream: ReadableStream<LanguageModelV4StreamPart>): Promise<void> {
		const reader = stream.getReader();
		for (;;) {
			const { done, value } = await reader.read();
			if (this.#isFinished) return;
			if (done) return this.#end();
			this.#decoder.read(value);
			if (this.#answer.failure) return this.#finish(false);
			await this.#paused?.promise;
		}
	}

	/** Packages throw what the server said first, if that was an error, and what they make of half an answer. */
	#failOn(error: unknown, isReading: boolean): void {
		if (this.#isFinished) return;
		const { data } = jsonOf(error);
		if (isReading && this.#exchange.wasCut) return this.#end();
		if (isJson(data)) {
			this.#answer.begin();
			this.#answer.complain(isJson(data["response"]) ? data["response"] : data);
			return this.#finish(false);
		}
		const message = redact(`The answer cannot be read: ${messageOf(error)}`, this.#exchange.secrets);
		this.#fail({ kind: "protocol", message: message.slice(0, 500), retryable: isReading });
	}

	#end(): void {
		if (this.#answer.finishReason) return this.#finish(false);
		if (this.#decoder.hasEvents || this.#exchange.wasCut) {
			const message = "The connection was cut in the middle of the answer.";
			return this.#fail({ kind: "network", message, retryable: true });
		}
		const sample = this.#exchange.sample.trim().slice(0, 120);
		const message = sample === "" ? "The answer is empty." : `The answer cannot be read: ${sample}`;
		this.#fail({ kind: "protocol", message, retryable: true });
	}

	/** The secrets go first: a shortened text may hold half of one. */
	#readFailure(payload: Json): ModelError {
		return readPayloadFailure(JSON.parse(redact(JSON.stringify(payload), this.#exchange.secrets)) as Json);
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
		if (isAborted || this.#answer.failure) this.#exchange.close();
		this.#resume();
		this.#answer.finish(isAborted);
		this.#queue.end();
	}

	#resume(): void {
		this.#paused?.resolve();
		this.#paused = undefined;
	}
}

/** `undefined` for what no JSON can hold. */
function encode({ wire, vendor, modelId }: PackageTarget, request: ModelRequest) {
	try {
		const options = encodeForPackage(wire, vendor, modelId, request);
		return { options, length: JSON.stringify(options).length };
	} catch {
		return undefined;
	}
}
