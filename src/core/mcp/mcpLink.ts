// oxlint-disable unicorn/prefer-add-event-listener -- the SDK's client takes one listener, as a property
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { SSEClientTransport, SseError } from "@modelcontextprotocol/sdk/client/sse.js";
import { StreamableHTTPClientTransport, StreamableHTTPError } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import type { FetchLike, Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import { ToolListChangedNotificationSchema } from "@modelcontextprotocol/sdk/types.js";
import type { Clock } from "../ports/clock.ts";
import type { ProcessGroups } from "../processes/processGroup.ts";
import { createHttpFetch } from "./httpFetch.ts";
import type { HttpAddress, LaunchPlan } from "./launchPlan.ts";
import { type ServerSignIn, SignInNeeded } from "./serverSignIn.ts";
import { type Program, StdioTransport } from "./stdioTransport.ts";

/** Our own timers count, on our own clock; the SDK wants a number. */
export const noSdkTimeout = 2 ** 31 - 1;
/** A server of ours that ends a session may take so long to hear of it. */
const goodbyeMs = 1_000;
/** No server's: it marks answers that we give ourselves, where none will come. */
export const lostCode = -32_099;

export interface LinkOptions {
	readonly clock: Clock;
	readonly processes: ProcessGroups;
	readonly owner: string;
	readonly version: string;
	/** Of a server that a person can sign in to. */
	readonly signIn?: ServerSignIn;
	readonly onToolsChanged: () => void;
	/** It has ended by itself. */
	readonly onEnd: (reason: string) => void;
}

/** A client that speaks to a server, after `open`. */
export interface McpLink {
	readonly client: Client;
	/** Says hello, and takes down what it has started when that fails. */
	open(signal: AbortSignal): Promise<void>;
	/** Of a server that gives out sessions. */
	readonly sessionId: string | undefined;
	readonly stderrTail: string;
	readonly endReason: string | undefined;
	/** Whether it wants a person to sign in; the SDK's errors do not always say so. */
	readonly needsSignIn: boolean;
	/** Resolves when nothing is left of it. */
	close(): Promise<void>;
}

/** The ways to the server, in the order in which they are tried. */
export function createLinks(
	target: Exclude<LaunchPlan["target"], { kind: "none" }>,
	options: LinkOptions,
): readonly (() => McpLink)[] {
	if (target.kind === "program") return [() => linkProgram(target.program, options)];
	const { address } = target;
	return address.protocols.map(
		(protocol) => () => (protocol === "http" ? linkHttp(address, options) : linkSse(address, options)),
	);
}

/** Whether a server may speak the older protocol: it does not know what it was asked. */
export function mayBeOlder(error: unknown): boolean {
	return error instanceof StreamableHTTPError && [400, 404, 405, 406, 415].includes(error.code ?? 0);
}

function createClient({ version, onToolsChanged }: LinkOptions): Client {
	// No capabilities: what a server asks of us is refused, and never answered by itself.
	const client = new Client({ name: "muster", version }, { capabilities: {} });
	client.setNotificationHandler(ToolListChangedNotificationSchema, onToolsChanged);
	// Lines that are no messages, late answers and the like: each ends where it came up.
	client.onerror = () => undefined;
	return client;
}

function linkProgram(program: Program, options: LinkOptions): McpLink {
	const { clock, processes, owner, onToolsChanged, onEnd } = options;
	const client = createClient(options);
	// What was thrown away may have said that the tools have changed.
	const transport = new StdioTransport({ program, processes, clock, owner, onDropped: onToolsChanged });
	client.onclose = () => onEnd(transport.endReason ?? "It was stopped");
	return {
		client,
		open: (signal) => client.connect(transport, { signal, timeout: noSdkTimeout }),
		sessionId: undefined,
		get stderrTail() {
			return transport.stderrTail;
		},
		get endReason() {
			return transport.endReason;
		},
		needsSignIn: false,
		close: () => transport.close(),
	};
}

function linkHttp(address: HttpAddress, options: LinkOptions): McpLink {
	const client = createClient(options);
	const requests = new OpenRequests();
	const signed = signFetch(options, requests);
	const transport = new StreamableHTTPClientTransport(address.url, {
		fetch: signed.fetch,
		requestInit: { headers: address.headers },
	});
	requests.watch(transport);
	client.onerror = (error) => {
		if (error.message.startsWith("Maximum reconnection")) requests.lose(undefined, "The connection was lost");
	};
	return {
		client,
		open: (signal) => client.connect(transport, { signal, timeout: noSdkTimeout }),
		get sessionId() {
			return transport.sessionId;
		},
		stderrTail: "",
		endReason: undefined,
		get needsSignIn() {
			return signed.isRefused;
		},
		async close() {
			await sayGoodbye(transport, options.clock);
			await client.close();
			await transport.close();
		},
	};
}

interface SignedFetch {
	readonly fetch: FetchLike;
	/** Whether the last request was refused for want of a sign-in. */
	readonly isRefused: boolean;
}

function signFetch({ clock, signIn }: LinkOptions, requests: OpenRequests): SignedFetch {
	const send = createHttpFetch({ clock, ...requests.listeners });
	if (!signIn) return { fetch: send, isRefused: false };
	const signed = signIn.sign(send);
	let isRefused = false;
	return {
		async fetch(input, init) {
			isRefused = false;
			try {
				return await signed(input, init);
			} catch (error) {
				isRefused = error instanceof SignInNeeded;
				throw error;
			}
		},
		get isRefused() {
			return isRefused;
		},
	};
}

/** A server that is gone does not mind. */
async function sayGoodbye(transport: StreamableHTTPClientTransport, clock: Clock): Promise<void> {
	const { promise, resolve } = Promise.withResolvers<void>();
	const timer = clock.after(goodbyeMs, resolve);
	await Promise.race([promise, transport.terminateSession().catch(() => undefined)]);
	timer.dispose();
}

function linkSse(address: HttpAddress, options: LinkOptions): McpLink {
	const client = createClient(options);
	const requests = new OpenRequests();
	const signed = signFetch(options, requests);
	const transport = new SSEClientTransport(address.url, {
		fetch: signed.fetch,
		requestInit: { headers: address.headers },
	});
	requests.watch(transport);
	let endReason: string | undefined;
	client.onerror = (error) => {
		// It would connect again by itself, to a server that does not know us any more.
		if (!(error instanceof SseError) || endReason !== undefined) return;
		endReason = "The connection was lost";
		void transport.close();
	};
	client.onclose = () => options.onEnd(endReason ?? "It was stopped");
	return {
		client,
		open: (signal) => client.connect(transport, { signal, timeout: noSdkTimeout }),
		sessionId: undefined,
		stderrTail: "",
		get endReason() {
			return endReason;
		},
		get needsSignIn() {
			return signed.isRefused;
		},
		close: () => transport.close(),
	};
}

/** Requests over HTTP that await their answers: the SDK would wait for ever where a stream ends without one. */
class OpenRequests {
	readonly #open = new Set<number>();
	#transport: Transport | undefined;

	readonly listeners = {
		onRequest: (id: number) => void this.#open.add(id),
		onLost: (id: number | undefined, reason: string) => this.lose(id, reason),
	};

	/** To be called before a client takes the transport, which then calls both. */
	watch(transport: Transport): void {
		this.#transport = transport;
		transport.onmessage = (message) => {
			if (!("method" in message)) this.#open.delete(Number(message.id));
		};
	}

	/** Answers what has no other answer. Without an id, everything. */
	lose(id: number | undefined, reason: string): void {
		for (const each of id === undefined ? Array.from(this.#open) : [id]) {
			if (!this.#open.has(each)) continue;
			this.#transport?.onmessage?.({ jsonrpc: "2.0", id: each, error: { code: lostCode, message: reason } });
		}
	}
}
