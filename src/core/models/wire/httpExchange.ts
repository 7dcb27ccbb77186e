import http, { type ClientRequest, type IncomingHttpHeaders, type IncomingMessage } from "node:http";
import https from "node:https";
import { messageOf } from "../../base/errors.ts";
import type { ModelError } from "../modelPort.ts";
import { agentFor } from "./connections.ts";

/** How long a connection may be silent after the answer is complete, before it is given up instead of kept. */
const lingerMs = 2000;
/** Amazon's event streams. */
const framed = /^application\/vnd\.amazon\.eventstream\b/iu;

export interface HttpCall {
	readonly method: "GET" | "POST";
	readonly url: URL;
	readonly headers: Readonly<Record<string, string>>;
	readonly body?: string;
}

/** Nothing is called any more after `onEnd`, `onFailure` or `close`. */
export interface HttpListener {
	onHead(status: number, headers: IncomingHttpHeaders): void;
	onText(text: string): void;
	/** Instead of `onText` for an answer in a framing that is no text. */
	onBytes?(bytes: Uint8Array): void;
	/** The body is whole. */
	onEnd(): void;
	onFailure(error: ModelError): void;
}

/**
 * One request with `node:http`: no timeout of its own, no redirects, text decoded over chunk borders. VS Code patches
 * this module for proxies and certificates; `fetch` ends at 301 s and prints keys in its errors.
 */
export class HttpExchange {
	readonly #call: HttpCall;
	readonly #listener: HttpListener;
	#request: ClientRequest | undefined;
	#response: IncomingMessage | undefined;
	#isOver = false;

	constructor(call: HttpCall, listener: HttpListener) {
		this.#call = call;
		this.#listener = listener;
		this.#send(true);
	}

	pause(): void {
		this.#response?.pause();
	}

	resume(): void {
		this.#response?.resume();
	}

	/** Ends it at once and closes the socket. */
	close(): void {
		this.#isOver = true;
		this.#request?.destroy();
	}

	/** Nothing more is wanted, and the rest is nearly here: reads it away, so that the connection can be used again. */
	release(): void {
		this.#isOver = true;
		const response = this.#response;
		if (!response || response.complete) return;
		const { socket } = response;
		const giveUp = () => response.destroy();
		socket.setTimeout(lingerMs);
		socket.once("timeout", giveUp);
		response.once("close", () => socket.off("timeout", giveUp));
		response.resume();
	}

	#send(mayRepeat: boolean): void {
		const { method, url, headers, body } = this.#call;
		const length = body === undefined ? {} : { "content-length": String(Buffer.byteLength(body)) };
		let request: ClientRequest;
		try {
			const transport = url.protocol === "https:" ? https : http;
			request = transport.request(url, { method, agent: agentFor(url), headers: { ...headers, ...length } });
		} catch {
			// Node's own words would quote the header.
			const message = "A header or the address has characters that HTTP does not allow.";
			queueMicrotask(() => this.#fail({ kind: "bad-request", message }));
			return;
		}
		this.#request = request;
		request.on("response", (response) => this.#read(response));
		request.on("error", (error) => {
			// The server closed a kept connection in the moment when it was used again: it never saw the request.
			const wasStale = request.reusedSocket && !this.#response && codeOf(error) === "ECONNRESET";
			if (wasStale && mayRepeat && !this.#isOver) this.#send(false);
			else this.#fail(describe(error, url));
		});
		request.end(body);
	}

	#read(response: IncomingMessage): void {
		this.#response = response;
		if (!this.#listener.onBytes || !framed.test(response.headers["content-type"] ?? "")) response.setEncoding("utf8");
		response.on("data", (data: string | Uint8Array) => {
			if (this.#isOver) return;
			if (typeof data === "string") this.#listener.onText(data);
			else this.#listener.onBytes?.(data);
		});
		response.on("end", () => {
			if (this.#isOver || !response.complete) return;
			this.#isOver = true;
			this.#listener.onEnd();
		});
		response.on("error", (error) => this.#fail(describe(error, this.#call.url)));
		response.on("close", () => this.#fail(describe(new Error("closed"), this.#call.url)));
		if (!this.#isOver) this.#listener.onHead(response.statusCode ?? 0, response.headers);
	}

	#fail(error: Omit<ModelError, "retryable"> & { readonly retryable?: boolean }): void {
		if (this.#isOver) return;
		this.#isOver = true;
		this.#request?.destroy();
		this.#listener.onFailure({ retryable: false, ...error });
	}
}

function codeOf(error: unknown): string {
	const code: unknown = typeof error === "object" && error !== null && "code" in error ? error.code : undefined;
	return typeof code === "string" ? code : "";
}

const causes: Readonly<Record<string, string>> = {
	ECONNREFUSED: "nothing listens there",
	ECONNRESET: "the connection was cut",
	ENOTFOUND: "the host name is not known",
	EAI_AGAIN: "the host name could not be looked up",
	ETIMEDOUT: "it does not answer",
	EHOSTUNREACH: "the host cannot be reached",
	ENETUNREACH: "the network cannot be reached",
};

function describe(error: Error, { origin }: URL): ModelError {
	const code = codeOf(error);
	if (code.startsWith("HPE_")) {
		return { kind: "protocol", message: `${origin} does not answer with HTTP (${code}).`, retryable: true };
	}
	if (/CERT|^ERR_TLS|^ERR_SSL|^EPROTO$|UNABLE_TO_/u.test(code)) {
		return { kind: "network", message: `No secure connection to ${origin}: ${messageOf(error)}`, retryable: false };
	}
	const cause = causes[code] ?? (code || "the connection was cut");
	return { kind: "network", message: `No answer from ${origin}: ${cause}.`, retryable: true };
}
