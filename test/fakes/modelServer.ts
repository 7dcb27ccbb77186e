import { once } from "node:events";
import http, { type IncomingHttpHeaders, type RequestListener, type ServerResponse } from "node:http";
import https from "node:https";
import type { AddressInfo } from "node:net";
import { setImmediate, setTimeout } from "node:timers/promises";

export type SpokenWire = "chat" | "responses" | "anthropic";

export interface ReceivedRequest {
	readonly method: string;
	readonly path: string;
	readonly headers: IncomingHttpHeaders;
	/** Parsed; `undefined` where there is none. */
	readonly body: unknown;
	/** Settles when the client has closed the socket or the answer is complete. */
	readonly closed: Promise<void>;
}

/** What the server does with one request. */
export interface ScriptedReply {
	readonly status?: number;
	readonly headers?: Readonly<Record<string, string>>;
	/** Each piece is written on its own. */
	readonly body?: readonly (string | Uint8Array)[];
	/** Milliseconds before each piece. */
	readonly paceMs?: number;
	/** `cut` closes the socket without the end of the body, `hang` says nothing more. Default `end`. */
	readonly ending?: "end" | "cut" | "hang";
	/** Instead of any answer. */
	readonly before?: "cut" | "hang";
}

export interface ModelServer {
	/** The base URL, as a provider takes it. */
	readonly url: string;
	readonly requests: readonly ReceivedRequest[];
	close(): Promise<void>;
}

export interface ModelServerOptions {
	readonly script: (request: ReceivedRequest, index: number) => ScriptedReply;
	/** With these it speaks TLS. */
	readonly secure?: { readonly key: Buffer; readonly cert: Buffer };
}

/** A real HTTP server on loopback that answers by script, in any dialect and with any fault. */
export async function startModelServer({ script, secure }: ModelServerOptions): Promise<ModelServer> {
	const requests: ReceivedRequest[] = [];
	const listener: RequestListener = (incoming, response) => {
		const chunks: Buffer[] = [];
		incoming.on("data", (chunk: Buffer) => chunks.push(chunk));
		incoming.on("end", () => {
			const text = Buffer.concat(chunks).toString();
			const request: ReceivedRequest = {
				method: incoming.method ?? "",
				path: incoming.url ?? "",
				headers: incoming.headers,
				body: text === "" ? undefined : JSON.parse(text),
				closed: new Promise((resolve) => {
					response.once("close", resolve);
				}),
			};
			requests.push(request);
			void reply(response, script(request, requests.length - 1));
		});
	};
	const server = secure ? https.createServer(secure, listener) : http.createServer(listener);
	server.listen(0, "127.0.0.1");
	await once(server, "listening");
	const { port } = server.address() as AddressInfo;
	return {
		url: `${secure ? "https" : "http"}://127.0.0.1:${port}/v1`,
		requests,
		async close() {
			server.closeAllConnections();
			server.close();
			await once(server, "close");
		},
	};
}

async function reply(response: ServerResponse, scripted: ScriptedReply): Promise<void> {
	const { status = 200, headers = {}, body = [], paceMs = 0, ending = "end", before } = scripted;
	const { socket } = response;
	if (before === "cut") socket?.destroy();
	if (before !== undefined) return;
	response.writeHead(status, { "content-type": "text/event-stream", ...headers });
	socket?.setNoDelay(true);
	response.flushHeaders();
	for (const piece of body) {
		if (response.destroyed) return;
		await (paceMs > 0 ? setTimeout(paceMs) : setImmediate());
		await new Promise((resolve) => {
			response.write(piece, resolve);
		});
	}
	if (ending === "end") response.end();
	if (ending === "cut") socket?.end();
}

export interface SpokenCall {
	readonly id?: string;
	readonly name: string;
	/** Its input as JSON, in the pieces in which it is sent. */
	readonly pieces: readonly string[];
}

/** One answer, before it is put into a dialect. */
export interface Speech {
	readonly thinking?: readonly string[];
	readonly text?: readonly string[];
	readonly calls?: readonly SpokenCall[];
	/** Why it stops. Default: `calls` where there are calls, else `stop`. */
	readonly finish?: "stop" | "calls" | "length" | "filter";
}

export const spokenModel = "model-2026-01-01";
export const spokenUsage = { input: 100, cacheRead: 64, output: 12, reasoning: 5 };

/** Server-sent events as the dialect's vendor sends them. */
export function speak(wire: SpokenWire, speech: Speech): string[] {
	return { chat: speakChat, responses: speakResponses, anthropic: speakAnthropic }[wire](speech);
}

/** The same answer as one JSON object. */
export function speakWhole(wire: SpokenWire, speech: Speech): string {
	const whole = { chat: wholeChat, responses: wholeResponse, anthropic: wholeMessage }[wire](speech);
	return JSON.stringify(whole);
}

/** `true` for the event that says why the answer stops; all that follows may be lost. */
export function isFinishEvent(wire: SpokenWire, event: string): boolean {
	const sign = {
		chat: /"finish_reason":"/u,
		responses: /"type":"response\.(?:completed|incomplete)"/u,
		anthropic: /"stop_reason":"/u,
	};
	return sign[wire].test(event);
}

const finishOf = ({ finish, calls = [] }: Speech) => finish ?? (calls.length > 0 ? "calls" : "stop");
const inputOf = ({ pieces }: SpokenCall) => pieces.join("");
const event = (data: unknown) => `data: ${JSON.stringify(data)}\n\n`;
const named = (data: { readonly type: string }) => `event: ${data.type}\n${event(data)}`;

const chatFinish = { stop: "stop", calls: "tool_calls", length: "length", filter: "content_filter" };
const chatUsage = {
	prompt_tokens: spokenUsage.input,
	completion_tokens: spokenUsage.output,
	prompt_tokens_details: { cached_tokens: spokenUsage.cacheRead },
	completion_tokens_details: { reasoning_tokens: spokenUsage.reasoning },
};

function speakChat(speech: Speech): string[] {
	const frame = { id: "chatcmpl-1", object: "chat.completion.chunk", model: spokenModel };
	const chunk = (delta: unknown, finish: string | null = null) =>
		event({ ...frame, choices: [{ index: 0, delta, finish_reason: finish }] });
	return [
		chunk({ role: "assistant", content: "" }),
		...(speech.thinking ?? []).map((thought) => chunk({ reasoning_content: thought })),
		...(speech.text ?? []).map((content) => chunk({ content })),
		...(speech.calls ?? []).flatMap(({ id, name, pieces }, index) => [
			chunk({ tool_calls: [{ index, id, type: "function", function: { name, arguments: "" } }] }),
			...pieces.map((piece) => chunk({ tool_calls: [{ index, function: { arguments: piece } }] })),
		]),
		chunk({}, chatFinish[finishOf(speech)]),
		event({ ...frame, choices: [], usage: chatUsage }),
		"data: [DONE]\n\n",
	];
}

function wholeChat(speech: Speech): unknown {
	const message = {
		role: "assistant",
		content: (speech.text ?? []).join(""),
		reasoning_content: (speech.thinking ?? []).join(""),
		tool_calls: (speech.calls ?? []).map((call) => ({
			id: call.id,
			type: "function",
			function: { name: call.name, arguments: inputOf(call) },
		})),
	};
	const finish = chatFinish[finishOf(speech)];
	return {
		id: "chatcmpl-1",
		model: spokenModel,
		choices: [{ index: 0, message, finish_reason: finish }],
		usage: chatUsage,
	};
}

export const spokenReasoning = "encrypted==";
const reasoningItem = (speech: Speech) => ({
	type: "reasoning",
	id: "rs_1",
	summary: [{ type: "summary_text", text: (speech.thinking ?? []).join("") }],
	encrypted_content: spokenReasoning,
});
const messageItem = (speech: Speech) => ({
	type: "message",
	id: "msg_1",
	role: "assistant",
	content: [{ type: "output_text", text: (speech.text ?? []).join(""), annotations: [] }],
});
const callItem = (call: SpokenCall) => ({
	type: "function_call",
	id: `fc_${call.id}`,
	call_id: call.id,
	name: call.name,
	arguments: inputOf(call),
});

function wholeResponse(speech: Speech) {
	const finish = finishOf(speech);
	const reason = { length: "max_output_tokens", filter: "content_filter", stop: undefined, calls: undefined }[finish];
	return {
		id: "resp_1",
		object: "response",
		model: spokenModel,
		status: reason === undefined ? "completed" : "incomplete",
		error: null,
		incomplete_details: reason === undefined ? null : { reason },
		output: [
			...(speech.thinking ? [reasoningItem(speech)] : []),
			...(speech.text ? [messageItem(speech)] : []),
			...(speech.calls ?? []).map(callItem),
		],
		usage: {
			input_tokens: spokenUsage.input,
			input_tokens_details: { cached_tokens: spokenUsage.cacheRead },
			output_tokens: spokenUsage.output,
			output_tokens_details: { reasoning_tokens: spokenUsage.reasoning },
		},
	};
}

function speakResponses(speech: Speech): string[] {
	const whole = wholeResponse(speech);
	const items = whole.output.flatMap((item, index) => {
		const at = { output_index: index };
		const pieces =
			item.type === "reasoning"
				? (speech.thinking ?? []).map((delta) => ({ type: "response.reasoning_summary_text.delta", ...at, delta }))
				: item.type === "message"
					? (speech.text ?? []).map((delta) => ({ type: "response.output_text.delta", ...at, delta }))
					: callPieces(speech, index - (whole.output.length - (speech.calls?.length ?? 0))).map((delta) => ({
							type: "response.function_call_arguments.delta",
							...at,
							delta,
						}));
		const begun = { ...item, content: [], summary: [], arguments: "", encrypted_content: undefined };
		return [
			{ type: "response.output_item.added", ...at, item: begun },
			...pieces,
			{ type: "response.output_item.done", ...at, item },
		];
	});
	const open = { ...whole, status: "in_progress", output: [], usage: null };
	return [
		{ type: "response.created", response: open },
		...items,
		{ type: `response.${whole.status}`, response: whole },
	].map(named);
}

const callPieces = ({ calls = [] }: Speech, index: number) => calls[index]?.pieces ?? [];

export const spokenSignature = "signature==";
const anthropicFinish = { stop: "end_turn", calls: "tool_use", length: "max_tokens", filter: "refusal" };

function anthropicBlocks(speech: Speech) {
	return [
		...(speech.thinking
			? [
					{
						whole: { type: "thinking", thinking: speech.thinking.join(""), signature: spokenSignature },
						start: { type: "thinking", thinking: "", signature: "" },
						deltas: [
							...speech.thinking.map((thinking) => ({ type: "thinking_delta", thinking })),
							{ type: "signature_delta", signature: spokenSignature },
						],
					},
				]
			: []),
		...(speech.text
			? [
					{
						whole: { type: "text", text: speech.text.join("") },
						start: { type: "text", text: "" },
						deltas: speech.text.map((text) => ({ type: "text_delta", text })),
					},
				]
			: []),
		...(speech.calls ?? []).map((call) => ({
			whole: { type: "tool_use", id: call.id, name: call.name, input: lenientInput(call) },
			start: { type: "tool_use", id: call.id, name: call.name, input: {} },
			deltas: call.pieces.map((piece) => ({ type: "input_json_delta", partial_json: piece })),
		})),
	];
}

/** A whole message cannot hold broken JSON; the text itself is no object either. */
function lenientInput(call: SpokenCall): unknown {
	try {
		return JSON.parse(inputOf(call));
	} catch {
		return inputOf(call);
	}
}

const anthropicUsage = {
	input_tokens: spokenUsage.input - spokenUsage.cacheRead,
	cache_read_input_tokens: spokenUsage.cacheRead,
	cache_creation_input_tokens: 0,
};

function wholeMessage(speech: Speech) {
	return {
		id: "msg_1",
		type: "message",
		role: "assistant",
		model: spokenModel,
		content: anthropicBlocks(speech).map(({ whole }) => whole),
		stop_reason: anthropicFinish[finishOf(speech)],
		usage: { ...anthropicUsage, output_tokens: spokenUsage.output },
	};
}

function speakAnthropic(speech: Speech): string[] {
	const { stop_reason, ...message } = wholeMessage(speech);
	const begun = { ...message, content: [], stop_reason: null, usage: { ...anthropicUsage, output_tokens: 1 } };
	return [
		{ type: "message_start", message: begun },
		{ type: "ping" },
		...anthropicBlocks(speech).flatMap(({ start, deltas }, index) => [
			{ type: "content_block_start", index, content_block: start },
			...deltas.map((delta) => ({ type: "content_block_delta", index, delta })),
			{ type: "content_block_stop", index },
		]),
		{ type: "message_delta", delta: { stop_reason }, usage: { output_tokens: spokenUsage.output } },
		{ type: "message_stop" },
	].map(named);
}
