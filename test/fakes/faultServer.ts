// An MCP server that goes wrong in the way that its arguments name: `node faultServer.ts <fault>…`. Run as a process of its
// own. Speaks the protocol by hand, so that it can break it.
import { spawn } from "node:child_process";
import { appendFileSync } from "node:fs";
import { createInterface } from "node:readline";

interface Message {
	readonly id?: number;
	readonly method?: string;
	readonly params?: { readonly name?: string; readonly arguments?: Record<string, unknown>; readonly cursor?: string };
}

interface FloodInput {
	readonly of?: keyof typeof unasked;
	readonly endless?: boolean;
}

const faults = new Set(process.argv.slice(2));
const has = (fault: string) => faults.has(fault);
const valueOf = (name: string) => process.argv.find((each) => each.startsWith(`${name}=`))?.slice(name.length + 1);
const megabyte = "x".repeat(1024 * 1024);
const anyInput = { type: "object" };
let listings = 0;
/** What answers as soon as it is told that nobody waits for it any more. */
let onCancelled = () => undefined as void;

// Who started it can count.
const log = valueOf("log");
const note = (what: string) => log !== undefined && appendFileSync(log, `${what} ${process.pid}\n`);
note("start");

if (has("exit0")) process.exit(0);
if (has("exit1")) {
	console.error("\u001B[31mno configuration file\u001B[0m");
	process.exit(1);
}
if (has("segfault")) process.kill(process.pid, "SIGSEGV");
if (has("ignoreTerm")) {
	process.on("SIGTERM", () => note("term"));
	// Nor does it end because nobody speaks to it any more.
	setInterval(() => undefined, 1000);
}
if (has("orphan") || has("grandchild") || has("bareGrandchild")) {
	const child = spawn("sleep", ["1000"], {
		detached: has("orphan"),
		stdio: ["ignore", "inherit", "inherit"],
		...(has("bareGrandchild") && { env: { PATH: process.env["PATH"] } }),
	});
	note(`child ${child.pid}`);
	child.unref();
}
if (has("stderrFlood")) {
	for (let line = 0; line < 40_000; line++) process.stderr.write(`line ${line} ${"e".repeat(80)}\n`);
}
if (has("noise")) process.stdout.write('Listening…\r\n\0\0\n\n\xFF\xFE{\n{"jsonrpc":\n');
if (has("manyBadLines")) process.stdout.write("this is a log line\n".repeat(60));
if (has("longLine")) await flood(100, "");
if (has("partialLine")) {
	process.stdout.write('{"jsonrpc":"2.0","id":0,"res', () => process.exit(1));
}

if (has("deaf")) setInterval(() => undefined, 1000);
else {
	createInterface({ input: process.stdin }).on("line", (line) => void answer(JSON.parse(line) as Message));
	process.stdin.on("end", () => {
		if (has("tooLateHello")) initialize(0, true);
		else if (!has("ignoreTerm")) process.exit(0);
	});
}

function send(message: object, end = "\n"): void {
	process.stdout.write(JSON.stringify({ jsonrpc: "2.0", ...message }) + (has("crlf") ? "\r\n" : end));
}

async function answer({ id, method, params }: Message): Promise<void> {
	if (method === "initialize") initialize(id);
	else if (method === "tools/list") list(id, params?.cursor);
	else if (method === "tools/call") await call(id, params?.name ?? "", params?.arguments ?? {});
	else if (method === "notifications/cancelled") {
		note("cancelled");
		onCancelled();
	} else if (method === undefined) note("refused");
}

function initialize(id: number | undefined, isLate = false): void {
	if (has("silent") || (has("tooLateHello") && !isLate)) return;
	if (has("slowHello") && !isLate) return void setTimeout(() => initialize(id, true), 300);
	if (has("failedHandshake")) return send({ id, error: { code: -32_603, message: "no licence" } });
	const protocolVersion = has("wrongVersion") ? "1999-01-01" : "2025-06-18";
	const result = {
		protocolVersion,
		capabilities: { tools: { listChanged: true } },
		serverInfo: { name: "fault", version: "1" },
	};
	send({ id, result });
	if (has("answersTwice")) send({ id, result });
	if (has("asks")) {
		for (const asked of ["sampling/createMessage", "elicitation/create", "roots/list"])
			send({ id: 0, method: asked, params: {} });
	}
	if (has("diesAfterHello")) process.exit(3);
}

function list(id: number | undefined, cursor: string | undefined): void {
	listings++;
	note("list");
	const tools = [
		{ name: "echo", description: has("changes") && listings > 1 ? "Other" : "Says it again", inputSchema: anyInput },
		...["die", "hang", "late", "large", "flood", "change", "fail", "wrongId", "parts", "stall", "env", "where"].map(
			(name) => ({
				name,
				inputSchema: anyInput,
			}),
		),
		...(listings > 1 ? [{ name: "added", inputSchema: anyInput }] : []),
		...(has("badTools") ? badTools() : []),
		...(has("oneBadTool") ? badTools().slice(4, 5) : []),
		...(has("manyTools")
			? Array.from({ length: 10_000 }, (_, each) => ({ name: `tool${each}`, inputSchema: anyInput }))
			: []),
	];
	send({
		id,
		result: {
			tools: cursor === undefined ? tools : [],
			...(has("cyclicCursor") && { nextCursor: "again" }),
			...(has("endlessCursor") && { nextCursor: `page${listings}` }),
		},
	});
}

function badTools(): readonly object[] {
	const bomb = Object.fromEntries(
		Array.from({ length: 30 }, (_, each) => [
			`a${each}`,
			{ allOf: [{ $ref: `#/$defs/a${each + 1}` }, { $ref: `#/$defs/a${each + 1}` }] },
		]),
	);
	const deep = (depth: number): object => (depth === 0 ? {} : { type: "object", properties: { a: deep(depth - 1) } });
	return [
		{ name: "noSchema" },
		{ name: "textSchema", inputSchema: "object" },
		{ name: "arraySchema", inputSchema: { type: "array" } },
		{ name: "lostReference", inputSchema: { type: "object", properties: { a: { $ref: "#/$defs/none" } } } },
		{
			name: "farReference",
			inputSchema: { type: "object", properties: { a: { $ref: "https://example.org/schema" } } },
		},
		{
			name: "bomb",
			inputSchema: { type: "object", properties: { a: { $ref: "#/$defs/a0" } }, $defs: { ...bomb, a30: {} } },
		},
		{ name: "huge", inputSchema: { type: "object", description: "x".repeat(5 * 1024 * 1024) } },
		{ name: "deep", inputSchema: deep(40) },
		{ name: "proto", inputSchema: JSON.parse('{"type":"object","properties":{"__proto__":{}}}') as object },
		{ name: "two\nlines", inputSchema: anyInput },
		{ name: "bidi\u202E", inputSchema: anyInput },
		{ name: "__proto__", inputSchema: anyInput },
		{ name: 7, inputSchema: anyInput },
		{ name: "echo", description: "The second", inputSchema: anyInput },
		{ name: "read_file", description: `Hi\u200Bdden\u202E ${"d".repeat(5000)}`, inputSchema: anyInput },
	];
}

async function call(id: number | undefined, name: string, input: Record<string, unknown>): Promise<void> {
	const say = (text: string, rest: object = {}) => send({ id, result: { content: [{ type: "text", text }], ...rest } });
	note(`call:${name}`);
	if (name === "die") process.exit(1);
	if (name === "hang") return;
	if (name === "where") return say(process.cwd());
	if (name === "env") return say(JSON.stringify(process.env));
	if (name === "late") return void (onCancelled = () => say("too late"));
	if (name === "large")
		return flood(
			Number(input["megabytes"] ?? 200),
			`{"jsonrpc":"2.0","id":${id},"result":{"content":[{"type":"text","text":"`,
			'"}]}}\n',
		);
	if (name === "fail") return send({ id, error: { code: -32_000, message: `wrong ${megabyte}` } });
	if (name === "stall") {
		say("deaf now");
		process.stdin.pause();
		setInterval(() => undefined, 1000);
		return;
	}
	if (name === "wrongId") send({ id: 4711, result: { content: [] } });
	if (name === "parts") return send({ id, result: { content: parts() } });
	if (name === "change") send({ method: "notifications/tools/list_changed" });
	if (name === "flood") await floodWith(input);
	say(JSON.stringify(input));
}

function parts(): readonly object[] {
	return [
		{ type: "resource_link", uri: "file:///etc/passwd", name: "passwd" },
		{ type: "image", data: "A".repeat(4096), mimeType: "image/png" },
		{ type: "resource", resource: { uri: "memo://1", text: "embedded" } },
		{ type: "hologram" },
		{ type: "text", text: "the end" },
	];
}

async function flood(megabytes: number, head: string, tail = "\n"): Promise<void> {
	await write(head);
	for (let each = 0; each < megabytes; each++) await write(megabyte);
	await write(tail);
}

const unasked = {
	notifications: { jsonrpc: "2.0", method: "notifications/message", params: { level: "info", data: "flood" } },
	requests: { jsonrpc: "2.0", id: 0, method: "roots/list" },
	stderr: "what people may read",
};

/** A hundred thousand lines, or as many as there can be until it is cancelled. */
async function floodWith({ of: kind = "notifications", endless = false }: FloodInput): Promise<void> {
	const lines = `${JSON.stringify(unasked[kind])}\n`.repeat(1000);
	const stream = kind === "stderr" ? process.stderr : process.stdout;
	let isOver = false;
	onCancelled = () => void (isOver = true);
	for (let each = 0; endless ? !isOver : each < 100; each++) {
		await write(lines, stream);
		note("flooded");
	}
}

/** Waits until there is room. */
function write(text: string, stream: NodeJS.WritableStream = process.stdout): Promise<void> {
	return new Promise((resolve) => stream.write(text, () => resolve()));
}
