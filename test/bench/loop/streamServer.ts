/**
 * A model server on loopback, in a process of its own, so that its cost is nobody's. It speaks Chat Completions, and how
 * it answers is in the model's name: `bench-chunks200-rate10-rounds3` calls a tool three times, then streams 200 chunks,
 * ten in a second. A rate of 0 is as fast as it can.
 */
import { once } from "node:events";
import http, { type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text as readText } from "node:stream/consumers";

interface ChatRequest {
	readonly model: string;
	readonly messages: readonly { readonly role: string }[];
}

/** Each writes what the time since its start has made due, and says whether it is over. */
const paced = new Set<() => boolean>();
const tickMs = 5;
const chunksPerWrite = 64;
const spoken = "lorem ipsum dolor sit am";
let served = 0;

setInterval(() => {
	for (const step of paced) if (step()) paced.delete(step);
}, tickMs).unref();

const server = http.createServer((request, response) => {
	void readText(request).then((body) => reply(JSON.parse(body) as ChatRequest, response));
});
server.keepAliveTimeout = 60_000;
server.listen(0, "127.0.0.1");
await once(server, "listening");
process.send?.((server.address() as AddressInfo).port);
process.once("disconnect", () => process.exit());

async function reply({ model, messages }: ChatRequest, response: ServerResponse): Promise<void> {
	const [chunks, rate, rounds] = ["chunks", "rate", "rounds"].map((name) =>
		Number(new RegExp(`-${name}(\\d+)`, "u").exec(model)?.[1] ?? 0),
	) as [number, number, number];
	// Peers take two answers with the same id for one.
	const frame = { id: `chatcmpl-${++served}`, object: "chat.completion.chunk", created: 1, model };
	const event = (delta: unknown, finish: string | null = null) =>
		line({ ...frame, choices: [{ index: 0, delta, finish_reason: finish }] });
	const usage = line({
		...frame,
		choices: [],
		usage: { prompt_tokens: 100, completion_tokens: chunks, total_tokens: 100 + chunks },
	});
	const end = `${usage}data: [DONE]\n\n`;
	const round = messages.filter(({ role }) => role === "tool").length;
	response.writeHead(200, { "content-type": "text/event-stream" });
	response.socket?.setNoDelay(true);
	if (round < rounds) return void response.end(callTool(round, event) + end);
	response.write(event({ role: "assistant", content: "" }));
	const chunk = event({ content: spoken });
	if (rate > 0) await writePaced(response, chunk, chunks, rate);
	else await writeAll(response, chunk, chunks);
	response.end(event({}, "stop") + end);
}

function line(data: unknown): string {
	return `data: ${JSON.stringify(data)}\n\n`;
}

function callTool(round: number, event: (delta: unknown, finish?: string) => string): string {
	const pieces = ['{"path":', `"src/file${round}.ts"}`];
	const begin = { index: 0, id: `call_${round}`, type: "function", function: { name: "read_file", arguments: "" } };
	return [
		event({ role: "assistant", content: null, tool_calls: [begin] }),
		...pieces.map((piece) => event({ tool_calls: [{ index: 0, function: { arguments: piece } }] })),
		event({}, "tool_calls"),
	].join("");
}

async function writeAll(response: ServerResponse, chunk: string, chunks: number): Promise<void> {
	let wake: () => void = () => undefined;
	response.on("drain", () => wake()).on("close", () => wake());
	for (let sent = 0; sent < chunks && !response.destroyed; sent += chunksPerWrite) {
		const isTaken = response.write(chunk.repeat(Math.min(chunksPerWrite, chunks - sent)));
		if (!isTaken) await new Promise<void>((resolve) => (wake = resolve));
	}
}

function writePaced(response: ServerResponse, chunk: string, chunks: number, rate: number): Promise<void> {
	const start = performance.now();
	let sent = 0;
	return new Promise((resolve) => {
		paced.add(() => {
			const due = Math.min(chunks, Math.floor(((performance.now() - start) / 1000) * rate));
			for (; sent < due && !response.destroyed; sent++) response.write(chunk);
			const isOver = sent >= chunks || response.destroyed;
			if (isOver) resolve();
			return isOver;
		});
	});
}
