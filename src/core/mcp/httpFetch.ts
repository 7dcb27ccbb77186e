import http, { type IncomingMessage } from "node:http";
import https from "node:https";
import type { LookupFunction } from "node:net";
import type { FetchLike } from "@modelcontextprotocol/sdk/shared/transport.js";
import type { Clock } from "../ports/clock.ts";
import { limitEvents } from "./eventStream.ts";
import { maxMessageBytes, MessageTooLong } from "./messageLines.ts";

/** The server could not be reached, or went away before it answered. */
export class Unreachable extends Error {
	constructor(message: string, options?: ErrorOptions) {
		super(message, options);
		this.name = "Unreachable";
	}
}

export interface HttpFetchOptions {
	readonly clock: Clock;
	readonly maxBytes?: number;
	/** A request of ours went out, and awaits an answer. */
	readonly onRequest: (id: number) => void;
	/** No answer will come for this request, or for any that is open. */
	readonly onLost: (id: number | undefined, reason: string) => void;
}

/** A stream that breaks more often than this in a minute is not opened again. */
const maxReopened = 5;
const reopenWindowMs = 60_000;

/**
 * `fetch` for the SDK's transports, over `node:http`: it has no timeouts of its own (the built-in one gives up after five
 * minutes, and tools may take ten), it counts bytes, and it tells when an answer can't come any more. Follows nothing, and
 * takes nothing compressed: what is small on the wire may be huge.
 */
export function createHttpFetch(options: HttpFetchOptions): FetchLike {
	const opened: number[] = [];
	return async (input, init) => {
		const method = init?.method ?? "GET";
		if (method === "GET" && isOpenedTooOften(opened, options.clock.now())) return new Response(null, { status: 405 });
		const id = method === "POST" ? requestIdOf(init?.body) : undefined;
		if (id !== undefined) options.onRequest(id);
		const incoming = await send(new URL(input), method, init);
		return toResponse(incoming, (bytes, isEvents) =>
			isEvents ? readEvents(bytes, id, options) : readWhole(bytes, options.maxBytes ?? maxMessageBytes),
		);
	};
}

function isOpenedTooOften(opened: number[], now: number): boolean {
	while ((opened[0] ?? now) < now - reopenWindowMs) opened.shift();
	opened.push(now);
	return opened.length > maxReopened + 1;
}

/** What the SDK sends is its own JSON. */
function requestIdOf(body: unknown): number | undefined {
	if (typeof body !== "string") return undefined;
	const message = JSON.parse(body) as { readonly id?: unknown; readonly method?: unknown };
	return typeof message.id === "number" && message.method !== undefined ? message.id : undefined;
}

/** One request and its whole answer, with names looked up in a way of the caller's. */
export async function fetchWhole(
	url: URL,
	init: RequestInit,
	maxBytes: number,
	lookup: LookupFunction | undefined,
): Promise<Response> {
	const incoming = await send(url, init.method ?? "GET", init, lookup);
	return toResponse(incoming, (bytes) => readWhole(bytes, maxBytes));
}

function send(
	url: URL,
	method: string,
	init: RequestInit | undefined,
	lookup?: LookupFunction,
): Promise<IncomingMessage> {
	const headers = new Headers(init?.headers);
	headers.set("accept-encoding", "identity");
	const { request: open } = url.protocol === "https:" ? https : http;
	const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
	const signal = init?.signal;
	const options = {
		method,
		headers: Object.fromEntries(headers),
		...(signal && { signal }),
		...(lookup && { lookup }),
	};
	const request = open(url, options, resolve);
	request.on("error", (error) => {
		if (signal?.aborted || error instanceof Unreachable) reject(error);
		else reject(new Unreachable(`${url.origin} can't be reached (${codeOf(error)})`, { cause: error }));
	});
	request.end(typeof init?.body === "string" ? init.body : undefined);
	return promise;
}

function codeOf(error: Error): string {
	return "code" in error && typeof error.code === "string" ? error.code : error.name;
}

function toResponse(
	incoming: IncomingMessage,
	read: (incoming: IncomingMessage, isEvents: boolean) => AsyncGenerator<Uint8Array>,
): Response {
	const { statusCode: status = 500, statusMessage: statusText = "" } = incoming;
	const headers = new Headers();
	for (const [name, value] of Object.entries(incoming.headers)) {
		for (const each of [value ?? []].flat()) headers.append(name, each);
	}
	const encoding = headers.get("content-encoding");
	if (encoding !== null && encoding !== "identity") {
		incoming.destroy();
		throw new Error(`The server compresses its answers (${encoding}), although it was asked not to`);
	}
	if (status < 200 || [202, 204, 205, 304].includes(status)) {
		incoming.resume();
		return new Response(null, { status: Math.max(status, 202), headers });
	}
	const isEvents = headers.get("content-type")?.startsWith("text/event-stream") === true;
	return new Response(toStream(read(incoming, isEvents), incoming), { status, statusText, headers });
}

/** Closes the connection when it is cancelled, also before anything was read. */
function toStream(body: AsyncGenerator<Uint8Array>, incoming: IncomingMessage): ReadableStream<Uint8Array> {
	return new ReadableStream<Uint8Array>({
		async pull(controller) {
			const { value, done } = await body.next();
			if (done === true) controller.close();
			else controller.enqueue(value);
		},
		async cancel() {
			incoming.destroy();
			await body.return(undefined);
		},
	});
}

async function* readWhole(incoming: IncomingMessage, maxBytes: number): AsyncGenerator<Uint8Array> {
	let size = 0;
	for await (const bytes of incoming as AsyncIterable<Uint8Array>) {
		size += bytes.length;
		// Leaving the loop closes the connection.
		if (size > maxBytes) throw new MessageTooLong();
		yield bytes;
	}
}

/** Events of a request end with its answer; those of a stream that stays open may answer any. */
async function* readEvents(
	incoming: IncomingMessage,
	id: number | undefined,
	{ maxBytes = maxMessageBytes, onLost }: HttpFetchOptions,
): AsyncGenerator<Uint8Array> {
	let isResumable = false;
	try {
		yield* limitEvents(incoming, {
			maxBytes,
			onTooLong: (answers) => onLost(answers, new MessageTooLong().message),
			onId: () => void (isResumable = true),
			stopsAtOnce: id !== undefined,
		});
	} catch (error) {
		if (id !== undefined && error instanceof MessageTooLong) onLost(id, error.message);
		throw error;
	} finally {
		// What was handed out last is parsed later than now.
		if (id !== undefined && !isResumable) setImmediate(() => onLost(id, "It closed the connection without an answer"));
	}
}
