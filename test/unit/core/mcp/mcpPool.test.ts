import { describe, expect, it, vi } from "vitest";
import type { McpHealth } from "../../../../src/core/mcp/pooledServer.ts";
import { aFaultLog, aFaultServer, aPool, failureOf } from "../../../fakes/faultServers.ts";
import { serverSecretPlace } from "../../../../src/core/mcp/serverSecrets.ts";
import { ManualClock } from "../../../fakes/manualClock.ts";
import { MemorySecrets } from "../../../fakes/memorySecrets.ts";

vi.setConfig({ testTimeout: 20_000 });

describe("the pool", () => {
	it("starts nothing before it is needed, and one process for eight runs", async () => {
		const log = aFaultLog();
		const { pool, use } = aPool();
		const leases = await Promise.all(Array.from({ length: 8 }, () => use(aFaultServer([log.argument]))));
		expect(log.read()).toEqual([]);
		expect(pool.servers).toMatchObject([{ state: "stopped", holders: 8, startedAt: undefined }]);
		const answers = await Promise.all(leases.map((lease, each) => lease.call("echo", { each })));
		expect(answers.map(({ text }) => text)).toEqual(leases.map((_, each) => `{"each":${each}}`));
		expect(log.read().filter((line) => line.startsWith("start"))).toHaveLength(1);
	});

	it("shares only what is the same to the byte; which tools are offered and for how long is each run's own", async () => {
		const { pool, use } = aPool();
		const first = await use(aFaultServer([]));
		const narrowed = await use(aFaultServer([], { enabledTools: ["echo", "none"], disabledTools: ["hang"] }));
		const other = await use(aFaultServer([], { env: { A: "1" } }));
		expect([narrowed.id === first.id, other.id === first.id]).toEqual([true, false]);
		expect(pool.servers.map(({ holders }) => holders)).toEqual([2, 1]);
		expect(await narrowed.tools()).toMatchObject({
			tools: [{ name: "echo" }],
			problems: [{ tool: "none", reason: "enabled_tools names it, and the server does not have it" }],
		});
	});

	it("gives a server what is kept for it, and nothing to one of another file that is the same else", async () => {
		const secrets = new MemorySecrets();
		const from = (file: string) =>
			aFaultServer(["env"], { envVars: ["A_TOKEN"] }, { provenance: { layer: "home", file, shadows: [], reason: "" } });
		const mine = from("/home/.agents/config.toml");
		const holder = { name: mine.name, file: "/home/.agents/config.toml", fields: mine.fields };
		await secrets.set(serverSecretPlace(holder, "A_TOKEN"), "kept-for-mine");
		const { use } = aPool({ secrets });
		const [own, other] = [await use(mine), await use(from("/repo/.agents/config.toml"))];
		expect((await own.call("env", {})).text).toContain('"A_TOKEN":"kept-for-mine"');
		expect((await other.call("env", {})).text).not.toContain("kept-for-mine");
	});

	it("deny beats allow in the tools of a server", async () => {
		const lease = await aPool().use(aFaultServer([], { enabledTools: ["echo", "die"], disabledTools: ["die"] }));
		expect((await lease.tools()).tools.map(({ name }) => name)).toEqual(["echo"]);
	});

	it("stops a server that nobody has held for a minute, and starts it when it is needed again", async () => {
		const clock = new ManualClock();
		const { pool, processes, use } = aPool({ clock });
		const lease = await use(aFaultServer([]));
		await lease.tools();
		lease.release();
		lease.release();
		clock.advance(59_999);
		expect(pool.servers).toMatchObject([{ state: "ready", holders: 0 }]);
		const again = await use(aFaultServer([]));
		clock.advance(120_000);
		expect(pool.servers).toMatchObject([{ state: "ready", holders: 1 }]);
		again.release();
		clock.advance(60_000);
		await vi.waitFor(() => expect(pool.servers).toMatchObject([{ state: "stopped" }]));
		await vi.waitFor(() => expect(processes.size).toBe(0));
		const third = await use(aFaultServer([]));
		expect(await third.call("echo", {})).toMatchObject({ text: "{}" });
	});

	it("starts a crashed server again at the next call, which waits for a moment", async () => {
		const clock = new ManualClock();
		const log = aFaultLog();
		const { pool, use } = aPool({ clock });
		const lease = await use(aFaultServer([log.argument]));
		await expect(lease.call("die", {})).rejects.toThrow(/ended during the call/u);
		const waiting = lease.call("echo", {});
		await vi.waitFor(async () => {
			clock.advance(1_000);
			expect(pool.servers).toMatchObject([{ state: "ready" }]);
		});
		expect(await waiting).toMatchObject({ text: "{}" });
		expect(log.read().filter((line) => line.startsWith("start"))).toHaveLength(2);
	});

	it("fails what all runs have in flight when a server crashes, and nothing that comes after", async () => {
		const clock = new ManualClock();
		const log = aFaultLog();
		const { use } = aPool({ clock });
		const runs = await Promise.all(Array.from({ length: 8 }, () => use(aFaultServer([log.argument]))));
		const inFlight = runs.slice(1).map((lease) => failureOf(lease.call("hang", {})));
		await runs[0]?.call("echo", {});
		inFlight.push(failureOf(runs[0]?.call("die", {}) ?? Promise.resolve()));
		for (const failure of await Promise.all(inFlight)) expect(failure).toMatch(/ended during the call.*not known/u);
		clock.advance(1_000);
		const answers = await Promise.all(runs.map((lease, each) => lease.call("echo", { each })));
		expect(answers.map(({ text }) => text)).toEqual(runs.map((_, each) => `{"each":${each}}`));
		expect(log.read().filter((line) => line.startsWith("start"))).toHaveLength(2);
	});

	it("waits longer after each crash, and in the end for a person", async () => {
		const clock = new ManualClock();
		const log = aFaultLog();
		const { pool, use } = aPool({ clock });
		const lease = await use(aFaultServer([log.argument]));
		for (const pause of [1_000, 5_000, 25_000]) {
			await expect(lease.call("die", {})).rejects.toThrow(/ended during the call/u);
			clock.advance(pause - 1);
			await expect(lease.tools()).rejects.toThrow(/tried again later/u);
			clock.advance(1);
		}
		await expect(lease.call("die", {})).rejects.toThrow(/ended during the call/u);
		clock.advance(1_000_000);
		await expect(lease.call("echo", {})).rejects.toThrow(/has failed 4 times.*Restart it/u);
		expect(log.read().filter((line) => line.startsWith("start"))).toHaveLength(4);
		await pool.restart(lease.id);
		expect(await lease.call("echo", {})).toMatchObject({ text: "{}" });
	});

	it("a run that is stopped while it waits for a server is gone at once, and the server starts all the same", async () => {
		const { pool, use } = aPool();
		const [lease, other] = [await use(aFaultServer([])), await use(aFaultServer([]))];
		const stop = new AbortController();
		const waiting = lease.tools(stop.signal);
		const patient = other.tools();
		stop.abort(new Error("stopped by hand"));
		await expect(waiting).rejects.toThrow("stopped by hand");
		expect((await patient).tools.length).toBeGreaterThan(0);
		expect(pool.servers).toMatchObject([{ state: "ready" }]);
	});

	it("closes what has not even started yet, and gives nothing out any more", async () => {
		const { pool, processes, use } = aPool();
		const lease = await use(aFaultServer(["silent", "ignoreTerm", "orphan"]));
		const starting = lease.tools();
		const refused = failureOf(starting);
		await vi.waitFor(() => expect(processes.size).toBe(1));
		await pool.close();
		expect(await refused).toContain("It was stopped");
		expect(processes.size).toBe(0);
		await expect(use(aFaultServer([]))).rejects.toThrow(/closing/u);
		await expect(lease.tools()).rejects.toThrow(/closing/u);
	});

	it("tells each change, for whoever shows it", async () => {
		const { pool, use } = aPool();
		const heard: McpHealth[] = [];
		pool.onDidChange((health) => heard.push(health));
		const lease = await use(aFaultServer([]));
		await lease.tools();
		await expect(lease.call("die", {})).rejects.toThrow(/exit code 1/u);
		await pool.restart(lease.id);
		await pool.stop(lease.id);
		expect(heard.map(({ state }) => state)).toEqual(["starting", "ready", "failed", "starting", "ready", "stopped"]);
		expect(heard[1]).toMatchObject({ name: "srv", toolCount: 13, lastError: undefined });
		expect(heard[2]?.lastError).toContain("exit code 1");
	});

	it("a server that does not read what it is sent is ended after ten seconds", async () => {
		const clock = new ManualClock();
		const { pool, use } = aPool({ clock });
		const lease = await use(aFaultServer([]));
		await lease.call("stall", {});
		const call = lease.call("echo", { long: "x".repeat(1024 * 1024) });
		const refused = failureOf(call);
		await vi.waitFor(() => {
			clock.advance(10_000);
			expect(pool.servers).toMatchObject([{ state: "failed" }]);
		});
		expect(await refused).toContain("does not read what it is sent");
	});
});

describe("tools that change", () => {
	it("are listed again when the server says so, at once and then at most each ten seconds", async () => {
		const clock = new ManualClock();
		const log = aFaultLog();
		const lease = await aPool({ clock }).use(aFaultServer([log.argument]));
		const names = async () => (await lease.tools()).tools.map(({ name }) => name);
		const listings = () => log.read().filter((line) => line.startsWith("list")).length;
		expect(await names()).not.toContain("added");
		await lease.call("change", {});
		await vi.waitFor(async () => expect(await names()).toContain("added"));
		for (let time = 0; time < 5; time++) await lease.call("change", {});
		clock.advance(9_999);
		await lease.call("echo", {});
		expect(listings()).toBe(2);
		clock.advance(1);
		await lease.call("echo", {});
		expect(listings()).toBe(3);
	});

	it("are not called in the place of what was offered", async () => {
		const lease = await aPool().use(aFaultServer(["changes"]));
		const hash = (await lease.tools()).tools.find(({ name }) => name === "echo")?.hash;
		expect(await lease.call("echo", {}, { hash })).toMatchObject({ text: "{}" });
		await lease.call("change", {});
		await vi.waitFor(async () => expect((await lease.tools()).tools[0]?.hash).not.toBe(hash));
		await expect(lease.call("echo", {}, { hash })).rejects.toThrow(/"echo" .* has changed since this run began/u);
		await expect(lease.call("gone", {}, { hash })).rejects.toThrow(/"gone" .* is gone/u);
	});
});
