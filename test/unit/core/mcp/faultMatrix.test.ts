/**
 * The fault matrix of research/reliability-and-security.md §2.5 for servers over standard input and output: one row a fault,
 * each with a real process that has it. Cells that other tests hold, or more than one:
 *
 * | cell                                              | test                                                               |
 * | ------------------------------------------------- | ------------------------------------------------------------------ |
 * | no restart loop: 1, 5, 25 s, then a person         | mcpPool: "waits longer after each crash, and in the end for a person" |
 * | does not start: the run goes on without it         | mcpTools: "goes on without a server that does not start"; flows/mcp: "that does not start is missing …" |
 * | does not start: reaped all the same                | here; serverProcesses: "with $kind are gone after 20 rounds …"     |
 * | floods of notifications, requests, stderr          | floods: "of %s holds up neither a timer nor another server …"; here |
 * | a flood is dropped by rate                         | messageLines: "refuses what a server says unasked beyond 500 a second …" |
 * | lines of 10 MB, however they are cut               | messageLines: "takes a line of the most bytes and refuses one more …" |
 * | a tool named like a built-in one                   | here (`read_file`); mcpTools: "%s %s is %s"                        |
 * | 200 MB in less than 100 MB of memory               | largeResults                                                       |
 * | stops reading: ten seconds                         | mcpPool: "a server that does not read what it is sent is ended after ten seconds" |
 * | dies in a call, or while nobody calls              | here; mcpPool: "fails what all runs have in flight …"; realServers: "that is killed in the middle of a call …" |
 * | a grandchild with the pipes; no ear for SIGTERM; a wrapper like npx | serverProcesses; killedHost, where our process dies |
 * | HTTP: a 401 without end, one sign-in               | signIn: "that refuses each token it gives is signed in to once …"; httpServers: "401: the server is not used" |
 * | HTTP: a stream that drops, redirects, gzip, slow headers, 200 MB | httpServers: "a stream that breaks again and again is given up", "$id: …" |
 * | HTTP: session ids                                  | httpServers: "a session that was forgotten …", "a session that is given out twice …", "a call that finds out late …" |
 * | sampling, elicitation, roots; ids that collide     | here; floods, of requests                                          |
 * | another description after approval                 | mcpPool: "are not called in the place of what was offered"         |
 * | the same server in eight runs                      | mcpPool: "starts nothing before it is needed, and one process for eight runs", "fails what all runs have in flight …" |
 * | calls per run                                      | flows/budgets: "of %j ends it early, with its report"              |
 *
 * The diff of a changed description is not shown: the run is told that the tool has changed, and a new one sees the new text.
 */
import { performance } from "node:perf_hooks";
import { describe, expect, it, vi } from "vitest";
import type { McpServerFields } from "../../../../src/core/config/mcpServerFields.ts";
import type { McpServer } from "../../../../src/core/mcp/mcpServers.ts";
import { systemClock } from "../../../../src/core/ports/clock.ts";
import { ManualClock } from "../../../fakes/manualClock.ts";
import { aFaultLog, aFaultServer, aPool, aServer, failureOf } from "../../../fakes/faultServers.ts";
import { isRunning } from "../processes/isRunning.ts";

vi.setConfig({ testTimeout: 20_000 });

interface StartFault {
	readonly id: string;
	readonly faults?: readonly string[];
	readonly fields?: McpServerFields;
	readonly says: RegExp;
	/** Only time ends it. */
	readonly isEndless?: boolean;
}

const startFaults: readonly StartFault[] = [
	{ id: "binary missing", fields: { command: "no-such-program" }, says: /no program "no-such-program"/u },
	{ id: "not executable", fields: { command: "/etc/passwd" }, says: /no program "\/etc\/passwd" that can be run/u },
	{ id: "exits 0 at once", faults: ["exit0"], says: /It ended with exit code 0/u },
	{ id: "exits 1 at once", faults: ["exit1"], says: /exit code 1\nno configuration file/u },
	{ id: "segfault", faults: ["segfault"], says: /It was ended by SIGSEGV/u },
	{ id: "never answers initialize", faults: ["silent"], isEndless: true, says: /was not ready within 20 s/u },
	{ id: "never reads anything", faults: ["deaf"], isEndless: true, says: /was not ready within 20 s/u },
	{
		id: "never answers, ignores SIGTERM",
		faults: ["silent", "ignoreTerm"],
		isEndless: true,
		says: /was not ready within 20 s/u,
	},
	{ id: "answers initialize too late", faults: ["tooLateHello"], isEndless: true, says: /was not ready within 20 s/u },
	{ id: "fails the handshake", faults: ["failedHandshake"], says: /can't be used: no licence/u },
	{ id: "wrong protocol version", faults: ["wrongVersion"], says: /protocol version is not supported/u },
	{ id: "partial line, then the end", faults: ["partialLine"], says: /It ended with exit code 1/u },
	{ id: "a line of 100 MB", faults: ["longLine"], says: /a message of more than 10 MB/u },
	{
		id: "more than 50 lines that are no messages",
		faults: ["manyBadLines", "deaf"],
		says: /51 lines that are no messages/u,
	},
];

async function untilStarted(log: ReturnType<typeof aFaultLog>): Promise<void> {
	await vi.waitFor(() => expect(log.read().join()).toContain("start"), { timeout: 10_000 });
}

describe("a server that does not start", () => {
	it.for(startFaults)("$id: fails by name, leaves no process, and is not started in a loop", async (fault) => {
		const { faults = [], fields = {}, says, isEndless = false } = fault;
		const log = aFaultLog();
		const server = faults.length > 0 ? aFaultServer([...faults, log.argument], fields) : aServer(fields);
		const clock = isEndless ? new ManualClock() : systemClock;
		const { pool, processes, use } = aPool({ clock });
		const lease = await use(server);
		const failure = failureOf(lease.tools());
		if (clock instanceof ManualClock) {
			await untilStarted(log);
			clock.advance(20_000);
		}
		expect(await failure).toMatch(says);
		expect(pool.servers).toMatchObject([{ state: "failed", toolCount: 0 }]);
		expect(pool.servers[0]?.lastError).toMatch(says);
		await expect(lease.tools()).rejects.toThrow(/has failed 1 times/u);
		expect(processes.size).toBe(0);
		const started = log.read().filter((line) => line.startsWith("start"));
		expect(started).toHaveLength(faults.length > 0 ? 1 : 0);
		expect(started.some((line) => isRunning(Number(line.split(" ")[1])))).toBe(false);
	});

	it("keeps the end of what it wrote for people, without colours", async () => {
		const { pool, use } = aPool();
		const lease = await use(aFaultServer(["exit1"]));
		await expect(lease.tools()).rejects.toThrow(/no configuration file/u);
		expect(pool.servers[0]?.stderrTail).toBe("no configuration file");
	});
});

const harmless: readonly { readonly id: string; readonly fault: string }[] = [
	{ id: "log lines, NULs, invalid UTF-8 and half a message among the messages", fault: "noise" },
	{ id: "answers initialize late, but in time", fault: "slowHello" },
	{ id: "CRLF", fault: "crlf" },
	{ id: "answers twice", fault: "answersTwice" },
	{ id: "floods stderr", fault: "stderrFlood" },
	{ id: "sends sampling, elicitation and roots requests with colliding ids", fault: "asks" },
	{ id: "a cyclic cursor", fault: "cyclicCursor" },
	{ id: "a cursor without an end", fault: "endlessCursor" },
];

describe("a server that works in spite of itself", () => {
	it.for(harmless)("$id", async ({ fault }) => {
		const lease = await aPool().use(aFaultServer([fault]));
		expect((await lease.tools()).tools.length).toBeGreaterThan(5);
		expect(await lease.call("echo", { a: 1 })).toEqual({ text: '{"a":1}', isError: false });
	});

	it("what a server asks of us is refused, and never answered", async () => {
		const log = aFaultLog();
		const lease = await aPool().use(aFaultServer(["asks", log.argument]));
		await lease.call("echo", {});
		expect(log.read().filter((line) => line.startsWith("refused"))).toHaveLength(3);
	});

	it.for([
		{ fault: "cyclicCursor", pages: 2 },
		{ fault: "endlessCursor", pages: 50 },
	])("is asked for $pages pages of tools where it has a $fault", async ({ fault, pages }) => {
		const log = aFaultLog();
		await (await aPool().use(aFaultServer([fault, log.argument]))).tools();
		expect(log.read().filter((line) => line.startsWith("list"))).toHaveLength(pages);
	});

	it("keeps at most 100 lines and 8 KB of a flood of stderr", async () => {
		const { pool, use } = aPool();
		await (await use(aFaultServer(["stderrFlood"]))).tools();
		const readTail = () => pool.servers[0]?.stderrTail ?? "";
		await vi.waitFor(() => expect(readTail()).toContain("line 39999"), { timeout: 10_000 });
		const tail = readTail();
		expect(tail.length).toBeLessThanOrEqual(8 * 1024);
		expect(tail.split("\n").length).toBeLessThanOrEqual(100);
		expect(tail).toMatch(/line 39999 e+$/u);
	});

	it("100,000 notifications at once: most are thrown away unread, the tools are asked for again, and the answer comes", async () => {
		const log = aFaultLog();
		const lease = await aPool().use(aFaultServer([log.argument]));
		await lease.tools();
		expect(await lease.call("flood", {})).toMatchObject({ text: "{}" });
		// One of those that nobody read may have said that the tools have changed.
		await vi.waitFor(() => expect(log.read().filter((line) => line.startsWith("list"))).toHaveLength(2));
	});
});

describe("the list of tools", () => {
	it("leaves out each bad tool, says why, and offers the others", async () => {
		const lease = await aPool().use(aFaultServer(["badTools"]));
		const { tools, problems } = await lease.tools();
		expect(tools.map(({ name }) => name)).toEqual(expect.arrayContaining(["echo", "bomb", "read_file"]));
		expect(problems.map(({ tool, reason }) => `${tool}: ${reason}`)).toEqual([
			"noSchema: its input schema is no object",
			"textSchema: its input schema is no object",
			'arraySchema: its input schema must be of type "object"',
			'lostReference: its input schema refers to "#/$defs/none", which is not in it',
			'farReference: its input schema refers to "https://example.org/schema", which is not in it',
			"huge: its input schema is 5121 KB long; 64 KB is the most",
			"deep: its input schema is nested more than 32 deep",
			'proto: its input schema has a field "__proto__"',
			"two\uFFFDlines: its name is not allowed",
			"bidi\uFFFD: its name is not allowed",
			"__proto__: its name is not allowed",
			"(no name): it has no name",
			"echo: the server has two tools of this name",
		]);
	});

	it("shows a description without what can't be seen, and not all of a long one", async () => {
		const lease = await aPool().use(aFaultServer(["badTools"]));
		const { description = "" } = (await lease.tools()).tools.find(({ name }) => name === "read_file") ?? {};
		expect(description).toMatch(/^Hidden d+…$/u);
		expect(description).toHaveLength(2048);
	});

	it("offers 64 of 10,000 tools, and names what it leaves out", async () => {
		const lease = await aPool().use(aFaultServer(["manyTools"]));
		const { tools, problems } = await lease.tools();
		expect(tools).toHaveLength(64);
		expect(problems).toContainEqual({ tool: "(the rest)", reason: "the server has more than 1000 tools" });
		expect(problems).toContainEqual({ tool: "tool900", reason: "it is beyond the first 64 tools" });
	});
});

interface CallFault {
	readonly id: string;
	readonly tool: string;
	readonly input?: Record<string, unknown>;
	readonly rest?: Partial<McpServer>;
	readonly faults?: readonly string[];
	readonly says: RegExp;
	/** Whether the server still answers afterwards without being started again. */
	readonly survives: boolean;
}

const callFaults: readonly CallFault[] = [
	{
		id: "hangs",
		tool: "hang",
		rest: { toolTimeoutMs: 200 },
		says: /no answer within 0.2 s.*not known/u,
		survives: true,
	},
	{
		id: "answers when it hears that the time is over",
		tool: "late",
		rest: { toolTimeoutMs: 20 },
		says: /no answer within/u,
		survives: true,
	},
	{
		id: "fails with a message of 1 MB",
		tool: "fail",
		says: /^The MCP server "srv" refused: wrong x{100,1990}…$/u,
		survives: true,
	},
	{
		id: "dies",
		tool: "die",
		says: /ended during the call: It ended with exit code 1. Whether it did its work is not known/u,
		survives: false,
	},
	{
		id: "returns 200 MB",
		tool: "large",
		says: /ended during the call: It sent a message of more than 10 MB/u,
		survives: false,
	},
];

describe("a call that goes wrong", () => {
	it.for(callFaults)(
		"$id: fails soon, and the next one works",
		async ({ tool, input = {}, rest = {}, faults = [], says, survives }) => {
			const log = aFaultLog();
			const { pool, use } = aPool();
			const lease = await use(aFaultServer([...faults, log.argument], {}, rest));
			await expect(lease.call(tool, input)).rejects.toThrow(says);
			expect(pool.servers[0]?.state).toBe(survives ? "ready" : "failed");
			const patient = aFaultServer([...faults, log.argument]);
			expect((await (await use(patient)).call("echo", { b: 2 })).text).toBe('{"b":2}');
			expect(log.read().filter((line) => line.startsWith("start"))).toHaveLength(survives ? 1 : 2);
		},
	);

	it("a server that dies while nobody calls is started again for the next call", async () => {
		const log = aFaultLog();
		const { pool, use } = aPool();
		const lease = await use(aFaultServer([log.argument]));
		await lease.tools();
		process.kill(Number(log.read()[0]?.split(" ")[1]), "SIGKILL");
		await vi.waitFor(() => expect(pool.servers).toMatchObject([{ state: "failed" }]));
		expect(pool.servers[0]?.lastError).toContain("It was ended by SIGKILL");
		expect(await lease.call("echo", {})).toMatchObject({ text: "{}" });
	});

	it("an answer to a question that nobody asked is dropped", async () => {
		const lease = await aPool().use(aFaultServer([]));
		expect(await lease.call("wrongId", { c: 3 })).toMatchObject({ text: '{"c":3}' });
	});

	it("describes what is no text, and follows no link", async () => {
		const lease = await aPool().use(aFaultServer([]));
		expect((await lease.call("parts", {})).text.split("\n")).toEqual([
			"[resource file:///etc/passwd (passwd): it was not opened]",
			"[image, image/png, 3 KB: it can't be shown here]",
			"[resource memo://1]",
			"embedded",
			"[a part of a kind that is not known]",
			"the end",
		]);
	});

	it("gives the model the first and the last part of a long result", async () => {
		const lease = await aPool().use(aFaultServer([]));
		const { text } = await lease.call("large", { megabytes: 2 });
		expect(text).toHaveLength(31 * 1024 + `\n\n[… ${2 * 1024 * 1024 - 31 * 1024} characters left out …]\n\n`.length);
	});

	it("is told to the server and settles at once when it is stopped", async () => {
		const log = aFaultLog();
		const lease = await aPool().use(aFaultServer([log.argument]));
		await lease.tools();
		const stop = new AbortController();
		const call = lease.call("hang", {}, { signal: stop.signal });
		await vi.waitFor(() => expect(log.read().join()).toContain("call:hang"));
		const since = performance.now();
		stop.abort(new Error("stopped by hand"));
		await expect(call).rejects.toThrow("stopped by hand");
		expect(performance.now() - since).toBeLessThan(100);
		await vi.waitFor(() => expect(log.read().join()).toContain("cancelled"));
	});
});
