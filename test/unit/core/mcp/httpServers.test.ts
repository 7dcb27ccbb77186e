import { once } from "node:events";
import { describe, expect, it, vi } from "vitest";
import { everythingOver, freePort } from "../../../fakes/everythingServer.ts";
import { aFaultHttpServer, aPool, aServer } from "../../../fakes/faultServers.ts";

vi.setConfig({ testTimeout: 20_000 });

describe("a server over HTTP", () => {
	it("that streams: lists its tools, answers, and reports progress on the way", async () => {
		const { url } = await everythingOver("streamableHttp");
		const lease = await aPool().use(aServer({ url }));
		expect((await lease.tools()).tools.map(({ name }) => name)).toContain("echo");
		expect(await lease.call("echo", { message: "hello" })).toEqual({ text: "Echo: hello", isError: false });
		const slow = await lease.call("trigger-long-running-operation", { duration: 0.2, steps: 2 });
		expect(slow.text).toContain("Long running operation completed");
	});

	it.for([undefined, "sse"] as const)("of the older kind, configured as %s, is found out and answers", async (type) => {
		const { url } = await everythingOver("sse");
		const lease = await aPool().use(aServer({ url, ...(type && { type }) }));
		expect(await lease.call("echo", { message: "hello" })).toEqual({ text: "Echo: hello", isError: false });
	});

	it("of the older kind is not tried where the configuration says http", async () => {
		const { url } = await everythingOver("sse");
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

	it("a call that finds out late that its session was forgotten is made again too", async () => {
		const { url } = await aFaultHttpServer();
		const lease = await aPool().use(aServer({ url }));
		await lease.call("forget", {});
		const answers = await Promise.all([lease.call("echo", { late: true }), lease.call("echo", { each: 1 })]);
		expect(answers.map(({ text }) => text)).toEqual(['{"late":true}', '{"each":1}']);
		expect(JSON.parse((await lease.call("count", {})).text)).toMatchObject({ hellos: 2 });
	});

	it("a session that is given out twice mixes up no answers, and its end costs the other one a new hello", async () => {
		const { url } = await aFaultHttpServer("reusesSession");
		const { pool, use } = aPool();
		const [one, other] = [await use(aServer({ url })), await use(aServer({ url, httpHeaders: { "x-of": "other" } }))];
		expect(one.id).not.toBe(other.id);
		const answers = await Promise.all([one, other, one, other].map((lease, each) => lease.call("echo", { each })));
		expect(answers.map(({ text }) => text)).toEqual([0, 1, 2, 3].map((each) => `{"each":${each}}`));
		await pool.stop(one.id);
		expect(await other.call("echo", { each: 4 })).toMatchObject({ text: '{"each":4}' });
		expect(JSON.parse((await other.call("count", {})).text)).toMatchObject({ hellos: 3 });
	});

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
