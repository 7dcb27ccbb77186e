import { DatabaseSync } from "node:sqlite";
import { describe, expect, it } from "vitest";
import { noUsage } from "../../../../src/core/runs/run.ts";
import { operations } from "../../../../src/core/store/operations.ts";
import { openDatabase } from "../../../../src/core/store/openDatabase.ts";
import type { Sql } from "../../../../src/core/store/sql.ts";
import { temporaryFolder } from "../../../fakes/temporaryFolder.ts";

function aStore(): Sql {
	const { sql } = openDatabase(temporaryFolder());
	operations.registerHost(sql, { hostId: "hst_1", pid: 1, kind: "window", at: 1 });
	return sql;
}

function accept(sql: Sql, id: string, sessionKey = `agent:scout:subagent:${id}`): void {
	operations.acceptRun(sql, {
		session: { id: `ses_${sessionKey}`, key: sessionKey, kind: "subagent", agentId: "scout", depth: 1, createdAt: 1 },
		requester: { id: "ses_user", key: "agent:main:user", kind: "user", agentId: "main", depth: 0, createdAt: 1 },
		run: {
			id,
			sessionId: `ses_${sessionKey}`,
			parentRunId: null,
			hostId: "hst_1",
			kind: "subagent",
			lane: "subagent",
			agentId: "scout",
			label: null,
			task: "Look",
			context: null,
			model: "demo/demo",
			queuedAt: 1,
		},
		prompt: "Look",
	});
}

const claim = (sql: Sql, limit: number) =>
	operations.claimRuns(sql, { hostId: "hst_1", lane: "subagent", limit, at: 2 }).runs.map(({ id }) => id);
const anEnd = { at: 3, usage: noUsage, summary: null, error: null, announcement: "It ended." } as const;

describe("the store", () => {
	it("keeps the first end of a run, whatever comes after", () => {
		const sql = aStore();
		accept(sql, "run_a");
		claim(sql, 1);
		expect(operations.endRun(sql, { ...anEnd, runId: "run_a", state: "canceled" }).ended).toBe(true);
		const second = operations.endRun(sql, { ...anEnd, runId: "run_a", state: "ok", at: 4 });
		expect(second).toMatchObject({ ended: false, events: [], run: { state: "canceled", endedAt: 3 } });
		expect(() => sql.run("UPDATE run SET state = 'ok' WHERE id = 'run_a'")).toThrow("a run ends once");
	});

	it("delivers an announcement once, in the transaction that marks it", () => {
		const sql = aStore();
		accept(sql, "run_a");
		operations.endRun(sql, { ...anEnd, runId: "run_a", state: "canceled" });
		expect(operations.listUndelivered(sql)).toEqual(["run_a"]);
		expect(operations.deliverAnnouncement(sql, { runId: "run_a", at: 5 })?.text).toBe("It ended.");
		expect(operations.deliverAnnouncement(sql, { runId: "run_a", at: 6 })).toBeNull();
		expect(operations.listUndelivered(sql)).toEqual([]);
		const again =
			"INSERT INTO entry (session_id, run_id, turn, kind, text, at) VALUES ('ses_user', 'run_a', 0, 'announcement', 'x', 7)";
		expect(() => sql.exec(again)).toThrow("UNIQUE");
	});

	it("starts the oldest first, up to the limit, one per session, and passes over a session that is busy", () => {
		const sql = aStore();
		accept(sql, "run_a", "agent:scout:subagent:same");
		accept(sql, "run_b", "agent:scout:subagent:same");
		accept(sql, "run_c");
		accept(sql, "run_d");
		expect(claim(sql, 2)).toEqual(["run_a", "run_c"]);
		expect(claim(sql, 2)).toEqual([]);
		expect(claim(sql, 3)).toEqual(["run_d"]);
		operations.endRun(sql, { ...anEnd, runId: "run_a", state: "ok" });
		expect(claim(sql, 3)).toEqual(["run_b"]);
		expect(() => sql.exec("UPDATE run SET session_id = 'ses_agent:scout:subagent:run_c' WHERE id = 'run_d'")).toThrow(
			"UNIQUE",
		);
	});

	it("cannot hold a run that ended without a time, or that ran without a start", () => {
		const sql = aStore();
		accept(sql, "run_a");
		expect(() => sql.exec("UPDATE run SET state = 'error' WHERE id = 'run_a'")).toThrow("CHECK");
		expect(() => sql.exec("UPDATE run SET state = 'running' WHERE id = 'run_a'")).toThrow("CHECK");
		expect(() => sql.exec("UPDATE run SET state = 'asleep' WHERE id = 'run_a'")).toThrow("CHECK");
	});

	it("takes no more into the transcript of a run that has ended", () => {
		const sql = aStore();
		accept(sql, "run_a");
		operations.endRun(sql, { ...anEnd, runId: "run_a", state: "canceled" });
		const entry = {
			turn: 1,
			kind: "text",
			toolName: null,
			toolCallId: null,
			text: "late",
			isError: false,
			at: 9,
		} as const;
		const sessionId = "ses_agent:scout:subagent:run_a";
		operations.appendToLiveRun(sql, { runId: "run_a", sessionId, entries: [entry] });
		expect(operations.readEntries(sql, { sessionId, after: 0, limit: 10 }).map(({ text }) => text)).toEqual(["Look"]);
	});

	it("keeps every event with the run, in order", () => {
		const sql = aStore();
		accept(sql, "run_a");
		claim(sql, 1);
		operations.endRun(sql, { ...anEnd, runId: "run_a", state: "error", error: "no network" });
		operations.deliverAnnouncement(sql, { runId: "run_a", at: 5 });
		expect(operations.readEvents(sql, { runId: "run_a" }).map(({ type }) => type)).toEqual([
			"subagent.spawned",
			"subagent.queued",
			"subagent.started",
			"subagent.ended",
			"subagent.failed",
			"subagent.announced",
		]);
	});

	it("syncs every commit to the disk and checks references", () => {
		const folder = temporaryFolder();
		const { sql } = openDatabase(folder);
		const pragma = (name: string) => Object.values(sql.get<Record<string, unknown>>(`PRAGMA ${name}`) ?? {})[0];
		expect([pragma("journal_mode"), pragma("synchronous"), pragma("foreign_keys")]).toEqual(["wal", 2, 1]);
		expect(new DatabaseSync(`${folder}/muster.db`).prepare("PRAGMA integrity_check").get()).toEqual({
			integrity_check: "ok",
		});
	});
});
