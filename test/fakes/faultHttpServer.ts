// An MCP server over HTTP that goes wrong in the way that its arguments name, in a process of its own. Writes its port.
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { json } from "node:stream/consumers";

interface Message {
	readonly id?: number;
	readonly method?: string;
	readonly params?: { readonly name?: string; readonly arguments?: Record<string, unknown> };
}

const faults = new Set(process.argv.slice(2));
const has = (fault: string) => faults.has(fault);
const megabyte = Buffer.alloc(1024 * 1024, "x");
let session = 1;
let hellos = 0;
let streams = 0;
/** Refusals that are sent with the next answer of another session. */
const late: (() => void)[] = [];

const server = createServer((request, response) => void answer(request, response));
server.listen(0, "127.0.0.1", () => console.log((server.address() as AddressInfo).port));
process.stdin.resume();
process.stdin.on("end", () => process.exit(0));

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
	if (request.method === "DELETE") return end(response);
	if (request.method === "GET") return stream(response);
	if (has("locked")) return void response.writeHead(401).end(`who is ${request.headers.authorization}?`);
	if (has("redirects")) return void response.writeHead(307, { location: "http://169.254.169.254/mcp" }).end();
	if (has("slowHeaders")) return;
	const message = (await json(request)) as Message;
	if (message.id === undefined) return void response.writeHead(202).end();
	const isLost = message.method !== "initialize" && request.headers["mcp-session-id"] !== String(session);
	if (isLost) {
		const refuse = () => void response.writeHead(has("forgetsBadly") ? 400 : 404).end("no such session");
		return message.params?.arguments?.["late"] === true ? void late.push(refuse) : refuse();
	}
	if (message.method === "initialize") {
		hellos++;
		const result = {
			protocolVersion: "2025-06-18",
			capabilities: { tools: {} },
			serverInfo: { name: "fault", version: "1" },
		};
		return reply(response, { id: message.id, result }, { "mcp-session-id": String(session) });
	}
	if (message.method === "tools/list") return reply(response, { id: message.id, result: { tools: tools() } });
	await call(message.id, message.params?.name ?? "", message.params?.arguments ?? {}, response);
}

/** Where every session has the same number, whoever says goodbye ends all of them. */
function end(response: ServerResponse): void {
	if (has("reusesSession")) session++;
	response.writeHead(200).end();
}

function tools(): readonly object[] {
	const names = ["echo", "forget", "large", "cut", "compressed", "broken", "count", "auth"];
	return names.map((name) => ({ name, inputSchema: { type: "object" } }));
}

async function call(id: number, name: string, input: Record<string, unknown>, response: ServerResponse): Promise<void> {
	const say = (text: string) => reply(response, { id, result: { content: [{ type: "text", text }] } });
	if (name === "forget") session++;
	if (name === "count") return say(JSON.stringify({ hellos, streams }));
	if (name === "compressed") {
		return void response.writeHead(200, { "content-type": "application/json", "content-encoding": "gzip" }).end("x");
	}
	if (name === "broken") return void response.writeHead(500).end("it broke");
	if (name === "cut") {
		response.writeHead(200, { "content-type": "text/event-stream" });
		return void response.write(": here it comes\n\n", () => response.destroy());
	}
	if (name === "large") return large(id, input["as"] === "events", response);
	for (const refuse of late.splice(0)) refuse();
	say(JSON.stringify(input));
}

async function large(id: number, asEvents: boolean, response: ServerResponse): Promise<void> {
	response.writeHead(200, { "content-type": asEvents ? "text/event-stream" : "application/json" });
	await write(
		response,
		`${asEvents ? "data: " : ""}{"jsonrpc":"2.0","id":${id},"result":{"content":[{"type":"text","text":"`,
	);
	for (let each = 0; each < 200 && !response.destroyed; each++) await write(response, megabyte);
	if (!response.destroyed) response.end('"}]}}\n\n');
}

function write(response: ServerResponse, bytes: string | Buffer): Promise<void> {
	return new Promise((resolve) => response.write(bytes, () => resolve()));
}

function reply(response: ServerResponse, message: object, headers: Record<string, string> = {}): void {
	response.writeHead(200, { "content-type": "application/json", ...headers });
	response.end(JSON.stringify({ jsonrpc: "2.0", ...message }));
}

/** One that breaks as soon as it is open, if wanted. */
function stream(response: ServerResponse): void {
	if (!has("dropsStreams")) return void response.writeHead(405).end();
	streams++;
	response.writeHead(200, { "content-type": "text/event-stream" });
	response.write("retry: 1\n\n", () => response.destroy());
}
