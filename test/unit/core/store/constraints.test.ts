import { DatabaseSync } from "node:sqlite";
import { describe, expect, it } from "vitest";
import { operations } from "../../../../src/core/store/operations.ts";
import { openDatabase } from "../../../../src/core/store/openDatabase.ts";
import { accept, aSession, aStore, claim, deliver, end, setCap } from "../../../fakes/aStore.ts";
import { temporaryFolder } from "../../../fakes/temporaryFolder.ts";

describe("the store", () => {
	it("keeps the first end of a run, whatever comes after", () => {
		const sql = aStore();
		accept(sql, "run_a");
		claim(sql);
		end(sql, "run_a", "canceled");
		expect(end(sql, "run_a", "ok", 10)).toMatchObject({ state: "canceled", endedAt: 9 });
		expect(() => sql.run("UPDATE run SET state = 'ok' WHERE id = 'run_a'")).toThrow("a run ends once");
	});

	it("makes the announcement with the end, and delivers it once, in the transaction that marks it", () => {
		const sql = aStore();
		accept(sql, "run_a");
		end(sql, "run_a", "canceled");
		expect(deliver(sql).delivered.map(({ text }) => text)).toEqual(["run_a ended"]);
		expect(deliver(sql).delivered).toEqual([]);
		const user = operations.findSession(sql, { key: "agent:main:user" })?.id ?? "";
		const again = `INSERT INTO entry (session_id, run_id, turn, kind, text, at) VALUES ('${user}', 'run_a', 0, 'announcement', 'x', 7)`;
		expect(() => sql.exec(again)).toThrow(/UNIQUE|nothing is to be announced/u);
		expect(() => sql.exec("DELETE FROM announcement")).toThrow("announcements are kept");
		expect(operations.verifyStore(sql).violations).toEqual([]);
	});

	it("cannot announce a run to a session that did not ask for it", () => {
		const sql = aStore();
		accept(sql, "run_a");
		accept(sql, "run_b", { requester: aSession("agent:main:other", "user") });
		end(sql, "run_a", "canceled");
		const other = operations.findSession(sql, { key: "agent:main:other" })?.id ?? "";
		expect(() =>
			sql.exec(
				`INSERT INTO entry (session_id, run_id, turn, kind, text, at) VALUES ('${other}', 'run_a', 0, 'announcement', 'x', 7)`,
			),
		).toThrow("nothing is to be announced there");
	});

	it("starts the oldest first, up to the cap, one per session, and passes over a session that is busy", () => {
		const sql = aStore();
		const same = { session: aSession("agent:scout:subagent:same", "subagent") };
		setCap(sql, 2);
		accept(sql, "run_a", same);
		accept(sql, "run_b", same);
		accept(sql, "run_c");
		accept(sql, "run_d");
		expect(claim(sql)).toEqual(["run_a", "run_c"]);
		expect(claim(sql)).toEqual([]);
		setCap(sql, 3);
		expect(claim(sql)).toEqual(["run_d"]);
		end(sql, "run_a");
		expect(claim(sql)).toEqual(["run_b"]);
		expect(operations.verifyStore(sql).violations).toEqual([]);
	});

	it("holds no more in a lane than its cap, whoever writes", () => {
		const sql = aStore();
		setCap(sql, 1);
		accept(sql, "run_a");
		accept(sql, "run_b");
		claim(sql);
		const start = "UPDATE run SET state = 'running', is_ready = 0, started_at = 2 WHERE id = 'run_b'";
		expect(() => sql.exec(start)).toThrow("the lane is full");
	});

	it("starts nothing on a host that is gone", () => {
		const sql = aStore();
		accept(sql, "run_a");
		sql.exec("UPDATE host SET fenced_at = 2");
		const start = "UPDATE run SET state = 'running', is_ready = 0, started_at = 2 WHERE id = 'run_a'";
		expect(() => sql.exec(start)).toThrow("its host is gone");
	});

	it("cannot hold a run that ended without a time, ran without a start, was born ended, or is deleted", () => {
		const sql = aStore();
		accept(sql, "run_a");
		expect(() => sql.exec("UPDATE run SET state = 'error' WHERE id = 'run_a'")).toThrow("CHECK");
		expect(() => sql.exec("UPDATE run SET state = 'running', is_ready = 0 WHERE id = 'run_a'")).toThrow("CHECK");
		expect(() => sql.exec("UPDATE run SET state = 'asleep' WHERE id = 'run_a'")).toThrow("CHECK");
		expect(() => sql.exec("DELETE FROM run")).toThrow("never deleted");
		expect(() =>
			sql.exec(`INSERT INTO run (id, session_id, host_id, kind, lane, cause, agent_id, task, model, request, announce_form,
				cleanup, state, place, queued_at, ended_at) SELECT 'run_b', session_id, host_id, kind, lane, cause, agent_id, task,
				model, request, announce_form, cleanup, 'canceled', 2, 1, 2 FROM run`),
		).toThrow("a run begins queued");
	});

	it("takes no more into the transcript of a run that has ended", () => {
		const sql = aStore();
		const { sessionId } = accept(sql, "run_a");
		end(sql, "run_a", "canceled");
		const entry = { turn: 1, kind: "text", toolName: null, toolCallId: null, isError: false, at: 9 } as const;
		operations.appendToLiveRun(sql, { runId: "run_a", sessionId, entries: [{ ...entry, text: "late" }] });
		expect(operations.readEntries(sql, { sessionId, after: 0, limit: 10 }).map(({ text }) => text)).toEqual(["Look"]);
	});

	it("gives every answer about a run a higher revision than the one before, so that none is mistaken for newer", () => {
		const sql = aStore();
		const accepted = accept(sql, "run_1");
		const [started] = operations.claimRuns(sql, { hostId: "hst_1", passOver: [], at: 2 }).started;
		const waiting = operations.waitRun(sql, { runId: "run_1", reason: "approval", at: 3 })?.run;
		operations.continueRun(sql, { runId: "run_1", at: 4 });
		const [resumed] = operations.claimRuns(sql, { hostId: "hst_1", passOver: [], at: 5 }).resumed;
		const ended = end(sql, "run_1");
		const revisions = [accepted, started, waiting, resumed, ended].map((run) => run?.revision ?? 0);
		expect(revisions).toEqual([...new Set(revisions)].toSorted((a, b) => a - b));
	});

	it("keeps every event with the run, in order", () => {
		const sql = aStore();
		accept(sql, "run_a");
		claim(sql);
		end(sql, "run_a", "error");
		deliver(sql);
		expect(operations.readEvents(sql, { runId: "run_a" }).map(({ type }) => type)).toEqual([
			"subagent.spawned",
			"subagent.queued",
			"subagent.started",
			"subagent.ended",
			"subagent.failed",
			"subagent.announced",
		]);
	});

	it("finds what was said, takes no operator from the words, and forgets what is deleted", () => {
		const sql = aStore();
		accept(sql, "run_a", { prompt: "Look at the price calculation", cleanup: "delete" });
		expect(operations.searchEntries(sql, { words: "PRICE calculation", limit: 5 })).toMatchObject([{ runId: "run_a" }]);
		expect(operations.searchEntries(sql, { words: 'price" OR NOT (', limit: 5 })).toEqual([]);
		expect(operations.searchEntries(sql, { words: "***", limit: 5 })).toEqual([]);
		end(sql, "run_a", "canceled");
		deliver(sql);
		expect(operations.searchEntries(sql, { words: "price", limit: 5 })).toEqual([]);
		expect(operations.verifyStore(sql).violations).toEqual([]);
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
