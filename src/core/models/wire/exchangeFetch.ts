import type { IncomingHttpHeaders } from "node:http";
import type { ModelError } from "../modelPort.ts";
import type { Dialect } from "./dialect.ts";
import { type Endpoint, prepareCall } from "./endpoint.ts";
import { readHttpFailure } from "./failure.ts";
import { HttpExchange } from "./httpExchange.ts";
import { isJson } from "./json.ts";
import { redact } from "./secretText.ts";

const longestAnswer = 64 * 1024 * 1024;
const longestErrorBody = 64 * 1024;
const longestSample = 2000;

/** A package is told this address; only what follows it is used. */
export const standInAddress = "https://model.invalid";

/**
 * A `fetch` for packages, on our own exchange: Node's ends at 301 s and prints headers in its errors. The package's headers
 * are left out, and of its address only path and query are used, so that it neither sees the key nor says where it goes.
 * A failure is told once to `onFailure`; what the package is told of it means nothing.
 */
export class ExchangeFetch {
	readonly #endpoint: Endpoint;
	readonly #dialect: Pick<Dialect, "headers">;
	readonly #onFailure: (error: ModelError) => void;
	#body: EventBody | undefined;
	#isClosed = false;
	secrets: readonly string[] = [];

	constructor(endpoint: Endpoint, dialect: Pick<Dialect, "headers">, onFailure: (error: ModelError) => void) {
		this.#endpoint = endpoint;
		this.#dialect = dialect;
		this.#onFailure = onFailure;
	}

	/** The beginning of what the server said. */
	get sample(): string {
		return redact(this.#body?.sample ?? "", this.secrets);
	}

	/** The connection has ended before the answer did. */
	get wasCut(): boolean {
		return this.#body?.wasCut ?? false;
	}

	readonly fetch: typeof globalThis.fetch = async (input, init) => {
		const url = new URL(input instanceof Request ? input.url : input);
		const prepared = await prepareCall(this.#endpoint, this.#dialect, {
			method: "POST",
			path: url.pathname,
			query: Object.fromEntries(url.searchParams),
			body: typeof init?.body === "string" ? init.body : "",
		});
		if (this.#isClosed) throw new Error("Stopped.");
		if ("error" in prepared) throw this.#fail(prepared.error);
		this.secrets = prepared.secrets;
		return new Promise((resolve, reject) => {
			const body = new EventBody({
				secrets: prepared.secrets,
				onReady: (stream) => resolve(new Response(stream, { headers: { "content-type": "text/event-stream" } })),
				onFailure: (error) => reject(this.#fail(error)),
			});
			this.#body = body;
			body.receive(new HttpExchange(prepared.call, body));
		});
	};

	/** Ends it at once and closes the socket. */
	close(): void {
		this.#isClosed = true;
		this.#body?.close();
	}

	#fail(error: ModelError): Error {
		this.#onFailure(error);
		return new Error("The request has failed.");
	}
}

interface EventBodyOptions {
	readonly secrets: readonly string[];
	/** The server answers, and not with a failure. */
	onReady(stream: ReadableStream<Uint8Array>): void;
	onFailure(error: ModelError): void;
}

/** The body of an answer as a stream of events, also where it is one JSON document. */
class EventBody {
	readonly #options: EventBodyOptions;
	#exchange: HttpExchange | undefined;
	#controller: ReadableStreamDefaultController<Uint8Array> | undefined;
	#failureHead: { readonly status: number; readonly headers: IncomingHttpHeaders } | undefined;
	#mode: "unknown" | "events" | "whole" | "bytes" = "unknown";
	/** What has come before it is known what it is, then the whole document or error. */
	#held = "";
	#received = 0;
	#isOver = false;
	sample = "";
	wasCut = false;

	constructor(options: EventBodyOptions) {
		this.#options = options;
	}

	receive(exchange: HttpExchange): void {
		this.#exchange = exchange;
	}

	close(): void {
		this.#exchange?.close();
		if (this.#isOver) return;
		this.#isOver = true;
		this.#controller?.error(new Error("Stopped."));
	}

	onHead(status: number, headers: IncomingHttpHeaders): void {
		if (status < 200 || status >= 300) {
			this.#failureHead = { status, headers };
			return;
		}
		this.#options.onReady(
			new ReadableStream<Uint8Array>({
				start: (controller) => {
					this.#controller = controller;
				},
				pull: () => this.#exchange?.resume(),
				cancel: () => this.close(),
			}),
		);
	}

	onText(text: string): void {
		if (this.#isOver) return;
		if (this.#isTooLong(text.length)) return;
		if (this.sample.length < longestSample) this.sample += text.slice(0, longestSample);
		if (this.#failureHead) {
			this.#held += text;
			if (this.#held.length > longestErrorBody) this.onEnd();
		} else if (this.#mode === "events") this.#push(text);
		else this.#hold(text);
	}

	onBytes(bytes: Uint8Array): void {
		if (this.#isOver || this.#failureHead || this.#isTooLong(bytes.length)) return;
		this.#mode = "bytes";
		this.#push(bytes);
	}

	#isTooLong(more: number): boolean {
		this.#received += more;
		if (this.#failureHead || this.#received <= longestAnswer) return false;
		this.#fail({ kind: "protocol", message: "The answer is longer than any answer should be.", retryable: false });
		return true;
	}

	onEnd(): void {
		if (this.#isOver) return;
		if (this.#failureHead) {
			const { status, headers } = this.#failureHead;
			return this.#fail(readHttpFailure(status, headers, redact(this.#held, this.#options.secrets)));
		}
		if (this.#mode === "whole") this.#pushWhole();
		else if (this.#mode === "events") this.#push("\n\n");
		this.#end();
	}

	/** What came before a cut may be whole: the events say so, and the reader judges. */
	onFailure(error: ModelError): void {
		if (this.#isOver) return;
		if (this.#failureHead) this.onEnd();
		else if (this.#received === 0) this.#fail(error);
		else {
			this.wasCut = true;
			this.#end();
		}
	}

	/** The first character tells more than the content type. */
	#hold(text: string): void {
		this.#held += text;
		if (this.#mode === "whole") return;
		const first = this.#held.trimStart().charAt(0);
		if (first === "") return;
		if (first === "<") {
			this.#fail({ kind: "protocol", message: "The server answers with a web page, not as a model.", retryable: true });
		} else if (first === "{" || first === "[") this.#mode = "whole";
		else {
			this.#mode = "events";
			this.#push(this.#held);
		}
	}

	/** A document, or a list of what would have been events; what cannot be read has no events. */
	#pushWhole(): void {
		let whole: unknown;
		try {
			whole = JSON.parse(this.#held);
		} catch {
			return this.#push("\n\n");
		}
		const events: readonly unknown[] = Array.isArray(whole) ? whole : [whole];
		for (const event of events.filter(isJson)) this.#push(`data: ${JSON.stringify(event)}\n\n`);
	}

	#push(data: string | Uint8Array): void {
		const controller = this.#controller;
		if (!controller || this.#isOver) return;
		controller.enqueue(typeof data === "string" ? Buffer.from(data) : data);
		if ((controller.desiredSize ?? 0) <= 0) this.#exchange?.pause();
	}

	#end(): void {
		this.#isOver = true;
		this.#controller?.close();
	}

	#fail(error: ModelError): void {
		if (this.#isOver) return;
		this.#isOver = true;
		this.#exchange?.close();
		this.#options.onFailure(error);
		this.#controller?.error(new Error("The request has failed."));
	}
}
