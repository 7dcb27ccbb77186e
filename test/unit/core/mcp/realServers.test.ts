/** Servers of the Model Context Protocol's own packages, over standard input and output. Over HTTP: `realHttpServers`. */
import { execFileSync } from "node:child_process";
import { closeSync, constants, openSync, rmSync, writeFileSync } from "node:fs";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import type { McpServerFields } from "../../../../src/core/config/mcpServerFields.ts";
import type { McpLease } from "../../../../src/core/mcp/mcpPool.ts";
import type { McpServer } from "../../../../src/core/mcp/mcpServers.ts";
import { createMcpTools } from "../../../../src/core/mcp/mcpTools.ts";
import { aPackagedServer, aPool, failureOf } from "../../../fakes/faultServers.ts";
import { ManualClock } from "../../../fakes/manualClock.ts";
import { temporaryFolder } from "../../../fakes/temporaryFolder.ts";
import { isRunning } from "../processes/isRunning.ts";

vi.setConfig({ testTimeout: 30_000 });

describe("a server of the Model Context Protocol's own packages", () => {
	it("everything: lists its tools and answers", async () => {
		const { use, pool } = aPool();
		const lease = await use(aPackagedServer("everything"));
		const { tools, problems } = await createMcpTools([lease]);
		expect(problems).toEqual([]);
		expect(tools.map(({ name }) => name)).toContain("mcp__everything__echo");
		expect(await lease.call("echo", { message: "hello" })).toEqual({ text: "Echo: hello", isError: false });
		expect(pool.servers).toMatchObject([{ name: "everything", state: "ready", toolCount: tools.length, holders: 1 }]);
	});

	it("filesystem: reads a file of its folder, and says that it can't read another", async () => {
		const folder = temporaryFolder({ "a.txt": "alpha" });
		const lease = await aPool().use(aPackagedServer("filesystem", [folder]));
		expect(await lease.call("read_text_file", { path: `${folder}/a.txt` })).toEqual({ text: "alpha", isError: false });
		expect(await lease.call("read_text_file", { path: "/etc/passwd" })).toMatchObject({ isError: true });
	});

	it("memory: keeps what it is told from call to call", async () => {
		const file = `${temporaryFolder()}/memory.json`;
		const lease = await aPool().use(aPackagedServer("memory", [], { env: { MEMORY_FILE_PATH: file } }));
		const entities = [{ name: "Ada", entityType: "person", observations: ["writes programs"] }];
		expect(await lease.call("create_entities", { entities })).toMatchObject({ isError: false });
		expect((await lease.call("read_graph", {})).text).toContain("writes programs");
	});
});

type Call = readonly [tool: string, input: Readonly<Record<string, unknown>>];

/** What a real server is asked. */
interface Asked {
	readonly server: (fields?: McpServerFields, rest?: Partial<McpServer>) => McpServer;
	/** Ends when its server does. */
	readonly endless: Call;
	/** Answered at once, also while the other one is at work. */
	readonly quick: Call;
	readonly answer: string;
	/** What makes the next call endless, and resolves once the server is at it; and what makes the next ones end. */
	readonly block?: () => Promise<void>;
	readonly unblock?: () => void;
}

/** A file that nobody ever writes: who reads it waits. Resolves when somebody does. */
async function silence(file: string): Promise<void> {
	rmSync(file, { force: true });
	execFileSync("mkfifo", [file]);
	const writer = await vi.waitFor(() => openSync(file, constants.O_WRONLY | constants.O_NONBLOCK), { timeout: 10_000 });
	onTestFinished(() => closeSync(writer));
}

function everything(): Asked {
	return {
		server: (fields, rest) => aPackagedServer("everything", [], fields, rest),
		endless: ["trigger-long-running-operation", { duration: 1_000_000, steps: 1 }],
		quick: ["echo", { message: "hello" }],
		answer: "Echo: hello",
	};
}

function filesystem(): Asked {
	const folder = temporaryFolder({ "a.txt": "alpha" });
	return {
		server: (fields, rest) => aPackagedServer("filesystem", [folder], fields, rest),
		endless: ["read_text_file", { path: `${folder}/silent` }],
		quick: ["read_file", { path: `${folder}/a.txt` }],
		answer: "alpha",
		block: () => silence(`${folder}/silent`),
	};
}

function memory(): Asked {
	const file = `${temporaryFolder()}/memory.json`;
	return {
		server: (fields, rest) => aPackagedServer("memory", [], { env: { MEMORY_FILE_PATH: file }, ...fields }, rest),
		endless: ["read_graph", {}],
		quick: ["search_nodes", { query: "Ada" }],
		answer: "writes programs",
		block: () => silence(file),
		unblock: () => {
			rmSync(file, { force: true });
			writeFileSync(file, '{"type":"entity","name":"Ada","entityType":"person","observations":["writes programs"]}');
		},
	};
}

const realServers = [
	{ name: "everything", prepare: everything },
	{ name: "filesystem", prepare: filesystem },
	{ name: "memory", prepare: memory },
];

/** Calls it for ever; resolves when the server is at it, with how the call fails in the end. */
async function callForEver(lease: McpLease, { block, endless }: Asked, signal?: AbortSignal) {
	const isAtWork = block?.();
	const failed = failureOf(lease.call(...endless, { signal }));
	await isAtWork;
	return { failed };
}

async function expectAnswer(lease: McpLease, { quick: [tool, input], answer }: Asked): Promise<void> {
	const { text, isError } = await lease.call(tool, input);
	expect(isError).toBe(false);
	expect(text).toContain(answer);
}

describe.runIf(process.platform !== "win32")("a real server", () => {
	it.for(realServers)(
		"$name: offers what its configuration leaves, and goes on after a call that took too long",
		async ({ prepare }) => {
			const asked = prepare();
			const [quick, endless] = [asked.quick[0], asked.endless[0]];
			const fields = { enabledTools: [quick, endless, "no_such_tool"], disabledTools: [endless] };
			const { pool, processes, use } = aPool();
			const lease = await use(asked.server(fields, { toolTimeoutMs: 100 }));
			const { tools, problems } = await lease.tools();
			expect(tools.map(({ name }) => name)).toEqual([quick]);
			expect(problems.map(({ tool, reason }) => `${tool}: ${reason}`)).toEqual([
				"no_such_tool: enabled_tools names it, and the server does not have it",
			]);
			const { failed } = await callForEver(lease, asked);
			expect(await failed).toMatch(/no answer within 0\.1 s.*not known/u);
			expect(pool.servers).toMatchObject([{ state: "ready", lastError: expect.stringContaining("0.1 s") }]);
			asked.unblock?.();
			await expectAnswer(await use(asked.server(fields)), asked);
			expect(processes.pids).toHaveLength(1);
		},
	);

	it("that is killed in the middle of a call fails that call by name, disturbs no other, and is started again", async () => {
		const clock = new ManualClock();
		const { pool, processes, use } = aPool({ clock });
		const all = [];
		for (const { name, prepare } of realServers) {
			const asked = prepare();
			const lease = await use(asked.server());
			await lease.tools();
			all.push({ name, asked, lease, pid: processes.pids.at(-1) ?? 0 });
		}
		for (const { name, asked, lease, pid } of all) {
			const others = all.filter((other) => other.name !== name);
			const end = new AbortController();
			const othersCalls = await Promise.all(others.map((other) => callForEver(other.lease, other.asked, end.signal)));
			const { failed } = await callForEver(lease, asked);
			process.kill(pid, "SIGKILL");
			expect(await failed).toMatch(
				new RegExp(
					`"${name}" ended during the call: It was ended by SIGKILL\\. Whether it did its work is not known`,
					"u",
				),
			);
			expect(isRunning(pid)).toBe(false);
			for (const each of all) each.asked.unblock?.();
			for (const other of others) await expectAnswer(other.lease, other.asked);
			end.abort(new Error("still at work"));
			expect(await Promise.all(othersCalls.map((call) => call.failed))).toEqual(["still at work", "still at work"]);

			expect(pool.servers.find((health) => health.name === name)).toMatchObject({ state: "failed" });
			clock.advance(1_000);
			await expectAnswer(lease, asked);
			expect(pool.servers.map(({ state }) => state)).toEqual(["ready", "ready", "ready"]);
		}
		expect(processes.pids).toHaveLength(6);
	});
});
