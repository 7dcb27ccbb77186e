import { describe, expect, it } from "vitest";
import { noUsage } from "../../../../src/core/runs/run.ts";
import { operations } from "../../../../src/core/store/operations.ts";
import type { Sql } from "../../../../src/core/store/sql.ts";
import { accept, aSession, aStore, claim, deliver, end } from "../../../fakes/aStore.ts";

/** A store with a run of each kind of state. */
function aBusyStore(): Sql {
	const sql = aStore();
	operations.registerHost(sql, { hostId: "hst_2", pid: 2, kind: "cli", at: 1 });
	accept(sql, "run_done");
	claim(sql);
	end(sql, "run_done");
	deliver(sql);
	accept(sql, "run_live");
	claim(sql);
	operations.spend(sql, { runId: "run_live", usage: { ...noUsage, inputTokens: 5 }, turns: 1, toolCalls: 2, at: 3 });
	accept(sql, "run_next", { session: aSession("agent:scout:subagent:run_live", "subagent") });
	accept(sql, "run_other", { hostId: "hst_2" });
	return sql;
}

/** Each plants one violation that no operation could make, past the constraints. */
const violations: readonly [string, string][] = [
	["an ended run has one announcement", "DROP TRIGGER announcement_is_kept; DELETE FROM announcement"],
	[
		"announced to nobody, any other to its requester",
		"UPDATE announcement SET receiver_session_id = (SELECT id FROM session WHERE kind = 'subagent' LIMIT 1)",
	],
	["stands in the receiver's transcript, once", "DELETE FROM entry WHERE kind = 'announcement'"],
	[
		"a session that did not ask",
		"DROP TRIGGER entry_settles_announcement; INSERT INTO entry (session_id, run_id, turn, kind, text, at) SELECT session_id, 'run_done', 0, 'announcement', 'x', 9 FROM run WHERE id = 'run_other'",
	],
	[
		"one run at a time",
		"DROP INDEX run_one_at_a_time; UPDATE run SET state = 'waiting_children', started_at = 2 WHERE id = 'run_next'",
	],
	[
		"no more than its cap",
		"DROP TRIGGER run_slot_within_cap; DROP INDEX run_one_at_a_time; UPDATE lane SET cap = 1; UPDATE run SET is_ready = 0, state = 'running', started_at = 2 WHERE id IN ('run_other', 'run_next'); INSERT INTO lane_change (lane, cap, at) VALUES ('subagent', 1, 1)",
	],
	["on a host that is gone", "UPDATE host SET fenced_at = 9 WHERE id = 'hst_2'"],
	["marked ready is its session's turn", "UPDATE run SET is_ready = 1 WHERE id = 'run_next'"],
	["begin with its acceptance", "DELETE FROM event WHERE run_id = 'run_other' AND type = 'subagent.spawned'"],
	["one event of its end", "DELETE FROM event WHERE type = 'subagent.ended'"],
	["a run starts once", "INSERT INTO event (run_id, at, type, data) VALUES ('run_live', 9, 'subagent.started', '{}')"],
	["what is settled has an event", "DELETE FROM event WHERE type = 'subagent.announced'"],
	["hangs on the session that asked", "UPDATE session SET depth = 3 WHERE kind = 'subagent'"],
	[
		"read by a run of its own session",
		"INSERT INTO message (id, session_id, text, created_at, taken_by_run_id) SELECT 'msg_1', session_id, 'x', 1, 'run_live' FROM run WHERE id = 'run_done'",
	],
	["times do not run backwards", "DROP TRIGGER run_ends_once; UPDATE run SET ended_at = 0 WHERE id = 'run_done'"],
	["the ledger of each session adds up", "UPDATE run SET input_tokens = 7 WHERE id = 'run_live'"],
	["the ledgers of agents and of days add up", "DELETE FROM ledger WHERE scope = 'day'"],
	[
		"every reference leads somewhere",
		"PRAGMA foreign_keys = OFF; UPDATE entry SET run_id = 'run_gone' WHERE kind = 'user' AND run_id = 'run_other'",
	],
];

describe("verifyStore", () => {
	it("finds nothing wrong with a store that only operations have written", () => {
		const { ok, checked, violations: found } = operations.verifyStore(aBusyStore());
		expect({ ok, found }).toEqual({ ok: true, found: [] });
		expect(checked.length).toBe(violations.length + 1);
	});

	it.each(violations)("finds a planted violation: %s", (name, plant) => {
		const sql = aBusyStore();
		sql.exec(plant);
		const { ok, violations: found } = operations.verifyStore(sql);
		expect(ok).toBe(false);
		expect(found.map(({ invariant }) => invariant).join("\n")).toContain(name);
		expect(found[0]?.record).not.toBe("");
	});
});
