import { spawn } from "node:child_process";
import { once } from "node:events";
import { createServer, type AddressInfo } from "node:net";
import path from "node:path";
import { createInterface } from "node:readline";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { projectRoot } from "../../../vscode/paths.ts";
import { aFaultHttpServer, aPool, aServer } from "../../../fakes/faultServers.ts";

vi.setConfig({ testTimeout: 20_000 });

/** The package that knows everything, over the network; resolves with its port when it listens. */
async function everythingOver(protocol: "streamableHttp" | "sse"): Promise<number> {
	const port = await freePort();
	const file = path.join(projectRoot, "node_modules/@modelcontextprotocol/server-everything/dist/index.js");
	const child = spawn(process.execPath, [file, protocol], {
		env: { ...process.env, PORT: String(port) },
		stdio: ["ignore", "ignore", "pipe"],
	});
	onTestFinished(() => void child.kill("SIGKILL"));
	for await (const line of createInterface({ input: child.stderr })) {
		if (/running|listening/u.test(line)) return port;
	}
	throw new Error("The server has ended");
}

async function freePort(): Promise<number> {
	const server = createServer().listen(0, "127.0.0.1");
	await once(server, "listening");
	const { port } = server.address() as AddressInfo;
	server.close();
	await once(server, "close");
	return port;
}

describe("a server over HTTP", () => {
	it("that streams: lists its tools, answers, and reports progress on the way", async () => {
		const lease = await aPool().use(aServer({ url: `http://127.0.0.1:${await everythingOver("streamableHttp")}/mcp` }));
		expect((await lease.tools()).tools.map(({ name }) => name)).toContain("echo");
		expect(await lease.call("echo", { message: "hello" })).toEqual({ text: "Echo: hello", isError: false });
		const slow = await lease.call("trigger-long-running-operation", { duration: 0.2, steps: 2 });
		expect(slow.text).toContain("Long running operation completed");
	});

	it.for([undefined, "sse"] as const)("of the older kind, configured as %s, is found out and answers", async (type) => {
		const url = `http://127.0.0.1:${await everythingOver("sse")}/sse`;
		const lease = await aPool().use(aServer({ url, ...(type && { type }) }));
		expect(await lease.call("echo", { message: "hello" })).toEqual({ text: "Echo: hello", isError: false });
	});

	it("of the older kind is not tried where the configuration says http", async () => {
		const url = `http://127.0.0.1:${await everythingOver("sse")}/sse`;
		await expect((await aPool().use(aServer({ url, type: "http" }))).tools()).rejects.toThrow(/can't be used/u);
	});

	it("that is not there fails by name", async () => {
		const { pool, use } = aPool();
		const lease = await use(aServer({ url: `http://127.0.0.1:${await freePort()}/mcp` }));
		await expect(lease.tools()).rejects.toThrow(/"srv" can't be used: http:.* can't be reached \(ECONNREFUSED\)/u);
		expect(pool.servers).toMatchObject([{ state: "failed" }]);
	});
});

interface HttpFault {
	readonly id: string;
	readonly faults?: readonly string[];
	readonly tool?: string;
	readonly input?: Record<string, unknown>;
	readonly says: RegExp;
}

const faults: readonly HttpFault[] = [
	{ id: "401", faults: ["locked"], says: /does not let us in \(HTTP 401\)/u },
	{
		id: "a redirect to 169.254.169.254",
		faults: ["redirects"],
		says: /Redirect to http:\/\/169\.254\.169\.254\/mcp not followed/u,
	},
	{ id: "slow headers", faults: ["slowHeaders"], says: /was not ready within 0.4 s/u },
	{ id: "a compressed answer", tool: "compressed", says: /compresses its answers \(gzip\)/u },
	{
		id: "a stream cut before the answer",
		tool: "cut",
		says: /no answer.*closed the connection without an answer.*not known/u,
	},
	{ id: "500", tool: "broken", says: /refused:.*it broke/u },
	{ id: "200 MB as JSON", tool: "large", input: { as: "json" }, says: /more than 10 MB/u },
	{ id: "200 MB as an event", tool: "large", input: { as: "events" }, says: /more than 10 MB/u },
];

describe("a fault over HTTP", () => {
	it.for(faults.filter(({ tool }) => tool === undefined))(
		"$id: the server is not used",
		async ({ faults: wanted = [], says }) => {
			const { url } = await aFaultHttpServer(...wanted);
			const { pool, use } = aPool({ environment: { TOKEN: "very-secret-token" } });
			const startupTimeoutMs = wanted.includes("slowHeaders") ? 400 : 20_000;
			const lease = await use(aServer({ url, bearerTokenEnvVar: "TOKEN" }, { startupTimeoutMs }));
			await expect(lease.tools()).rejects.toThrow(says);
			expect(pool.servers).toMatchObject([{ state: "failed", lastError: expect.stringMatching(says) }]);
			expect(JSON.stringify(pool.servers)).not.toContain("very-secret-token");
		},
	);

	it.for(faults.filter(({ tool }) => tool !== undefined))(
		"$id: fails that call alone",
		async ({ tool = "", input = {}, says }) => {
			const { url } = await aFaultHttpServer();
			const lease = await aPool().use(aServer({ url }));
			const other = lease.call("echo", { a: 1 });
			await expect(lease.call(tool, input)).rejects.toThrow(says);
			expect(await other).toMatchObject({ text: '{"a":1}' });
			expect(await lease.call("echo", { b: 2 })).toMatchObject({ text: '{"b":2}' });
			expect(await lease.call("count", {})).toMatchObject({ text: expect.stringContaining('"hellos":1') });
		},
	);

	it.for([404, 400])(
		"a session that was forgotten (%s) costs one new hello, however many calls find out",
		async (status) => {
			const { url } = await aFaultHttpServer(status === 400 ? "forgetsBadly" : "");
			const lease = await aPool().use(aServer({ url }));
			await lease.call("forget", {});
			const answers = await Promise.all([1, 2, 3].map((each) => lease.call("echo", { each })));
			expect(answers.map(({ text }) => text)).toEqual(['{"each":1}', '{"each":2}', '{"each":3}']);
			expect(JSON.parse((await lease.call("count", {})).text)).toMatchObject({ hellos: 2 });
		},
	);

	it("a stream that breaks again and again is given up", async () => {
		const { url } = await aFaultHttpServer("dropsStreams");
		const lease = await aPool().use(aServer({ url }));
		const count = async () => JSON.parse((await lease.call("count", {})).text) as { streams: number };
		await vi.waitFor(async () => expect((await count()).streams).toBe(6), { timeout: 10_000, interval: 20 });
		expect(await lease.call("echo", {})).toMatchObject({ isError: false });
		expect((await count()).streams).toBe(6);
	});

	it("its death shows in the next call", async () => {
		const { url, child } = await aFaultHttpServer();
		const { pool, use } = aPool();
		const lease = await use(aServer({ url }));
		await lease.tools();
		child.kill("SIGKILL");
		await once(child, "exit");
		await expect(lease.call("echo", {})).rejects.toThrow(/can't be reached/u);
		expect(pool.servers).toMatchObject([{ state: "failed", lastError: expect.stringContaining("can't be reached") }]);
	});

	it("an empty variable of the token is named, and nothing is sent", async () => {
		const { pool, use } = aPool({ environment: {} });
		const lease = await use(aServer({ url: "http://127.0.0.1:1/mcp", bearerTokenEnvVar: "FIGMA_TOKEN" }));
		await expect(lease.tools()).rejects.toThrow(/"srv" can't start: the environment variable FIGMA_TOKEN is empty/u);
		expect(pool.servers).toMatchObject([{ state: "failed" }]);
	});
});
