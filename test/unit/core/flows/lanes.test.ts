import { describe, expect, it } from "vitest";
import { operations } from "../../../../src/core/store/operations.ts";
import type { Sql } from "../../../../src/core/store/sql.ts";
import { accept, anAcceptance, aSession, aStore, claim, end, setCap } from "../../../fakes/aStore.ts";

const mainSession = aSession("agent:main:chat-1", "main");
const main = { kind: "main", lane: "main", session: mainSession, requester: null, cause: "turn" } as const;

function sound(sql: Sql): void {
	expect(operations.verifyStore(sql).violations).toEqual([]);
}

function addHost(sql: Sql, hostId: string): void {
	operations.registerHost(sql, { hostId, pid: 2, kind: "window", at: 1 });
}

describe("the lanes", () => {
	it("start in the order of acceptance, by priority, and as somebody moved them", () => {
		const sql = aStore();
		setCap(sql, 1);
		for (const id of ["run_a", "run_b", "run_c", "run_d"]) accept(sql, id);
		operations.moveRun(sql, { runId: "run_d", to: { before: "run_b" } });
		operations.moveRun(sql, { runId: "run_a", to: "back" });
		operations.moveRun(sql, { runId: "run_c", to: { priority: 5 } });
		const order: string[] = [];
		for (let next = claim(sql); next.length > 0; next = claim(sql)) {
			order.push(...next);
			for (const id of next) end(sql, id);
		}
		expect(order).toEqual(["run_c", "run_d", "run_b", "run_a"]);
		sound(sql);
	});

	it("do not let a busy session hold up those behind it", () => {
		const sql = aStore();
		setCap(sql, 3);
		const busy = { session: aSession("agent:scout:subagent:busy", "subagent") };
		accept(sql, "run_a", busy);
		claim(sql);
		for (let index = 0; index < 20; index++) accept(sql, `run_b${index}`, busy);
		accept(sql, "run_c");
		expect(claim(sql)).toEqual(["run_c"]);
		end(sql, "run_a");
		expect(claim(sql)).toEqual(["run_b0"]);
		sound(sql);
	});

	it("start nothing while they are paused, and main goes on while subagents wait", () => {
		const sql = aStore();
		operations.pauseLane(sql, { lane: "subagent", isPaused: true });
		accept(sql, "run_a");
		operations.acceptRun(sql, anAcceptance("run_m", main));
		expect(claim(sql)).toEqual(["run_m"]);
		operations.pauseLane(sql, { lane: "subagent", isPaused: false });
		expect(claim(sql)).toEqual(["run_a"]);
		sound(sql);
	});

	it("hold a role to its cap and let others pass", () => {
		const sql = aStore();
		operations.setRoleCaps(sql, { caps: { backend: 1 } });
		accept(sql, "run_a", { role: "backend" });
		accept(sql, "run_b", { role: "backend" });
		accept(sql, "run_c", { role: "frontend" });
		expect(claim(sql)).toEqual(["run_a", "run_c"]);
		end(sql, "run_a");
		expect(claim(sql)).toEqual(["run_b"]);
		sound(sql);
	});

	it("leave a provider alone that wants a pause, and say when to look again", () => {
		const sql = aStore();
		operations.pauseProvider(sql, { provider: "cloud", until: 500, reason: "rate limit" });
		operations.pauseProvider(sql, { provider: "cloud", until: 400, reason: "rate limit" });
		accept(sql, "run_a", { model: "cloud/large" });
		accept(sql, "run_b");
		const before = operations.claimRuns(sql, { hostId: "hst_1", passOver: [], at: 100 });
		expect(before.started.map(({ id }) => id)).toEqual(["run_b"]);
		expect(before.lookAgainAt).toBe(500);
		expect(claim(sql, "hst_1", 500)).toEqual(["run_a"]);
		sound(sql);
	});

	it("give a waiting run's slot away, and let it back in before all others, whatever their priority", () => {
		const sql = aStore();
		setCap(sql, 1);
		accept(sql, "run_a");
		claim(sql);
		accept(sql, "run_b");
		accept(sql, "run_c", { priority: 9 });
		operations.waitRun(sql, { runId: "run_a", reason: "approval", at: 3 });
		expect(claim(sql)).toEqual(["run_c"]);
		operations.continueRun(sql, { runId: "run_a", at: 4 });
		end(sql, "run_c");
		const next = operations.claimRuns(sql, { hostId: "hst_1", passOver: [], at: 5 });
		expect({ started: next.started.length, resumed: next.resumed.map(({ id }) => id) }).toEqual({
			started: 0,
			resumed: ["run_a"],
		});
		sound(sql);
	});

	it("do not deadlock at cap 1 when a parent waits for its child", () => {
		const sql = aStore();
		setCap(sql, 1, "main");
		setCap(sql, 1);
		accept(sql, "run_p");
		claim(sql);
		accept(sql, "run_child", {
			parentRunId: "run_p",
			requester: aSession("agent:scout:subagent:run_p", "subagent"),
			session: { ...aSession("agent:scout:subagent:child", "subagent"), depth: 2 },
		});
		expect(claim(sql)).toEqual([]);
		operations.waitRun(sql, { runId: "run_p", reason: "children", at: 3 });
		expect(claim(sql)).toEqual(["run_child"]);
	});

	it("hold a paused run's session and let the lane go on", () => {
		const sql = aStore();
		setCap(sql, 1);
		accept(sql, "run_a");
		claim(sql);
		accept(sql, "run_b");
		operations.requestPause(sql, { runId: "run_a", at: 3 });
		expect(claim(sql)).toEqual([]);
		expect(operations.pauseIfAsked(sql, { runId: "run_a", at: 4 })?.run).toMatchObject({
			state: "running",
			hold: "paused",
		});
		expect(claim(sql)).toEqual(["run_b"]);
		end(sql, "run_b");
		operations.continueRun(sql, { runId: "run_a", at: 5 });
		expect(operations.claimRuns(sql, { hostId: "hst_1", passOver: [], at: 6 }).resumed).toMatchObject([
			{ id: "run_a", hold: null },
		]);
		sound(sql);
	});

	it("keep a slot free for another host's earlier run, and pass over a host that does not take it", () => {
		const sql = aStore();
		addHost(sql, "hst_2");
		setCap(sql, 2);
		accept(sql, "run_a", { hostId: "hst_2" });
		accept(sql, "run_b");
		accept(sql, "run_c");
		const first = operations.claimRuns(sql, { hostId: "hst_1", passOver: [], at: 2 });
		expect(first.started.map(({ id }) => id)).toEqual(["run_b"]);
		expect(first.reserved).toEqual([{ runId: "run_a", hostId: "hst_2" }]);
		const second = operations.claimRuns(sql, { hostId: "hst_1", passOver: ["hst_2"], at: 3 });
		expect(second.started.map(({ id }) => id)).toEqual(["run_c"]);
		end(sql, "run_b");
		expect(claim(sql, "hst_2")).toEqual(["run_a"]);
		sound(sql);
	});

	it("let a user's turn go before the wakes of its lane", () => {
		const sql = aStore();
		setCap(sql, 1, "main");
		const other = { ...main, session: aSession("agent:main:chat-2", "main") };
		operations.acceptRun(sql, anAcceptance("run_w", { ...main, cause: "wake" }));
		operations.acceptRun(sql, anAcceptance("run_t", { ...other, priority: 1 }));
		expect(claim(sql)).toEqual(["run_t"]);
	});

	it("never hold more than their cap, whatever happens in which order", () => {
		const sql = aStore();
		setCap(sql, 3);
		for (let index = 0; index < 60; index++) accept(sql, `run_${index}`, { priority: index % 3 });
		let steps = 0;
		for (let running = claim(sql); running.length > 0 && steps < 200; steps++) {
			const taken = operations.readQueueFacts(sql, { at: 1 }).lanes.find(({ name }) => name === "subagent")?.taken ?? 0;
			expect(taken).toBeLessThanOrEqual(3);
			const [first = "", ...rest] = running;
			if (steps % 4 === 0) operations.waitRun(sql, { runId: first, reason: "approval", at: 3 });
			else end(sql, first);
			if (steps % 4 === 0) operations.continueRun(sql, { runId: first, at: 4 });
			const next = operations.claimRuns(sql, { hostId: "hst_1", passOver: [], at: 5 });
			running = [...rest, ...next.resumed.map(({ id }) => id), ...next.started.map(({ id }) => id)];
		}
		expect(operations.listRuns(sql, { limit: 100 }).every(({ state }) => state === "ok")).toBe(true);
		sound(sql);
	});
});
