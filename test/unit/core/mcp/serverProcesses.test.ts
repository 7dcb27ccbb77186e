/** What is left of servers that run as processes: nothing, whatever they are and however often they are started. */
import { describe, expect, it, vi } from "vitest";
import { messageOf } from "../../../../src/core/base/errors.ts";
import type { McpLease } from "../../../../src/core/mcp/mcpPool.ts";
import type { ToolListing } from "../../../../src/core/mcp/serverTool.ts";
import { aFaultLog, aFaultServer, aPackagedServer, aPool, aServer, failureOf } from "../../../fakes/faultServers.ts";
import { temporaryFolder } from "../../../fakes/temporaryFolder.ts";
import { isRunning } from "../processes/isRunning.ts";

const isSoak = process.env["MUSTER_SOAK"] === "1";
/** `npm run soak` does more of them. */
const rounds = isSoak ? 200 : 20;
const realServers = [
	{ name: "memory", args: () => [] },
	...(isSoak
		? [
				{ name: "everything", args: () => [] },
				{ name: "filesystem", args: () => [temporaryFolder()] },
			]
		: []),
];

vi.setConfig({ testTimeout: isSoak ? 600_000 : 60_000 });

/** How many child processes and pipes this process has open. */
const held = () => process.getActiveResourcesInfo().filter((name) => /^(?:Process|Pipe)Wrap$/u.test(name)).length;

/** Calls one of its tools, and names those that it has and that can't be called. */
async function tryOut(lease: McpLease, { problems }: ToolListing): Promise<string> {
	const { text } = await lease.call("echo", { sound: true });
	return text === '{"sound":true}' ? `left out: ${problems.map(({ tool }) => tool).join() || "none"}` : text;
}

/** A few at a time: most of a round is spent waiting. */
async function inParallel(count: number, work: (each: number) => Promise<void>): Promise<void> {
	let next = 0;
	const lane = async () => {
		while (next < count) await work(next++);
	};
	await Promise.all(Array.from({ length: 5 }, lane));
}

describe("the processes of a server", () => {
	it.for(["grandchild", "orphan"])("a %s that holds the pipes keeps no call waiting and is ended", async (fault) => {
		const log = aFaultLog();
		const { pool, use } = aPool();
		const lease = await use(aFaultServer([fault, "ignoreTerm", log.argument]));
		await expect(lease.call("die", {})).rejects.toThrow(/exit code 1/u);
		await pool.close();
		const pids = log
			.read()
			.filter((line) => line.startsWith("child"))
			.map((line) => Number(line.split(" ")[1]));
		expect(pids).toHaveLength(1);
		expect(pids.filter(isRunning)).toEqual([]);
	});

	it.for([
		{ kind: "a grandchild in a session of its own", faults: ["orphan"], says: /^left out: none$/u },
		{ kind: "no ear for SIGTERM", faults: ["ignoreTerm"], says: /^left out: none$/u },
		{ kind: "a failed handshake and a grandchild", faults: ["failedHandshake", "orphan"], says: /no licence/u },
		{ kind: "a bad tool", faults: ["oneBadTool", "grandchild"], says: /^left out: farReference$/u },
	])(`with $kind are gone after ${rounds} rounds, and so are our ends of their pipes`, async ({ faults, says }) => {
		const { pool, processes, use } = aPool();
		const log = aFaultLog();
		const before = held();
		await inParallel(rounds, async (round) => {
			const lease = await use(aFaultServer([...faults, log.argument, `round${round}`]));
			expect(await lease.tools().then((listing) => tryOut(lease, listing), messageOf)).toMatch(says);
			lease.release();
			await pool.stop(lease.id);
		});
		expect(processes.size).toBe(0);
		const started = log.read().flatMap((line) => (/^(?:start|child) /u.test(line) ? [Number(line.split(" ")[1])] : []));
		expect(started).toHaveLength(faults.some((fault) => /orphan|grandchild/u.test(fault)) ? 2 * rounds : rounds);
		expect(started.filter(isRunning)).toEqual([]);
		await vi.waitFor(() => expect(held()).toBeLessThanOrEqual(before), { timeout: 10_000 });
	});

	it.for(realServers)(`of the real server $name are gone after ${rounds} rounds`, async ({ name, args }) => {
		const { pool, processes, use } = aPool();
		const before = held();
		await inParallel(rounds, async (round) => {
			const lease = await use(aPackagedServer(name, args(), { env: { ROUND: String(round) } }));
			expect((await lease.tools()).tools.length).toBeGreaterThan(5);
			lease.release();
			await pool.stop(lease.id);
		});
		expect(processes.size).toBe(0);
		expect(processes.pids).toHaveLength(rounds);
		expect(processes.pids.filter(isRunning)).toEqual([]);
		await vi.waitFor(() => expect(held()).toBeLessThanOrEqual(before), { timeout: 10_000 });
	});

	it("behind a wrapper, as npx is one, go with it, and its death ends the call that waits for them", async () => {
		const log = aFaultLog();
		const { command = "", args = [] } = aFaultServer([log.argument, "ignoreTerm"]).fields;
		const wrapped = aServer({ command: "bash", args: ["-c", '"$0" "$@"; exit', command, ...args] });
		const { pool, processes, use } = aPool();
		const lease = await use(wrapped);
		await lease.tools();
		const failed = failureOf(lease.call("hang", {}));
		await vi.waitFor(() => expect(log.read().join()).toContain("call:hang"), { timeout: 10_000 });
		const [wrapper = 0] = processes.pids;
		const server = Number(log.read()[0]?.split(" ")[1]);
		expect(server).not.toBe(wrapper);
		process.kill(wrapper, "SIGKILL");
		expect(await failed).toContain("ended during the call: It was ended by SIGKILL");
		await pool.stop(lease.id);
		expect([wrapper, server].filter(isRunning)).toEqual([]);
	});

	it("get a short environment, what is configured for them, and no secret of ours", async () => {
		const environment = {
			PATH: process.env["PATH"],
			HOME: "/home/ada",
			AWS_SECRET: "s3cret",
			WANTED: "yes",
			NODE_OPTIONS: "--x",
		};
		const server = aFaultServer([], { env: { LITERAL: "1" }, envVars: ["WANTED"] });
		const { text } = await (await aPool({ environment }).use(server)).call("env", {});
		const names = Object.keys(JSON.parse(text) as object).toSorted();
		expect(names).toEqual(["HOME", "LITERAL", "MUSTER_RUN", "PATH", "WANTED"]);
	});

	it("run in the folder that the configuration names", async () => {
		const folder = temporaryFolder({ "sub/keep": "" });
		const lease = await aPool().use(aFaultServer([], { cwd: `${folder}/sub` }));
		expect((await lease.call("where", {})).text).toBe(`${folder}/sub`);
	});
});
