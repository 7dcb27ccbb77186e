import type { Sql } from "./sql.ts";

export interface Verification {
	readonly ok: boolean;
	/** The invariants that were looked at. */
	readonly checked: readonly string[];
	readonly violations: readonly Violation[];
}

export interface Violation {
	readonly invariant: string;
	/** The record that breaks it. */
	readonly record: string;
	readonly detail: string;
}

/** Each query gives the records that break its invariant, and how. It reads nothing but the database. */
const invariants: Readonly<Record<string, string>> = {
	"an ended run has one announcement, a live run none": `
		SELECT run.id AS record, run.state || ' with ' || count(announcement.run_id) || ' announcements' AS detail FROM run
			LEFT JOIN announcement ON announcement.run_id = run.id GROUP BY run.id
			HAVING count(announcement.run_id) <> (run.ended_at IS NOT NULL)`,
	"a run without a requester is announced to nobody, any other to its requester": `
		SELECT run.id AS record, 'announced to ' || coalesce(announcement.receiver_session_id, 'nobody') AS detail
			FROM announcement JOIN run ON run.id = announcement.run_id
			WHERE announcement.receiver_session_id IS NOT run.requester_session_id`,
	"what counts as delivered stands in the receiver's transcript, once": `
		SELECT announcement.run_id AS record, announcement.state || ' with ' || count(entry.seq) || ' messages' AS detail
			FROM announcement LEFT JOIN entry ON entry.run_id = announcement.run_id AND entry.kind = 'announcement'
				AND entry.session_id = announcement.receiver_session_id
			GROUP BY announcement.run_id HAVING count(entry.seq) <> (announcement.state = 'delivered')`,
	"nothing is announced to a session that did not ask": `
		SELECT entry.run_id AS record, 'announced in ' || entry.session_id AS detail FROM entry
			LEFT JOIN run ON run.id = entry.run_id AND run.requester_session_id = entry.session_id
			WHERE entry.kind = 'announcement' AND run.id IS NULL`,
	"a session executes one run at a time": `
		SELECT session_id AS record, count(*) || ' runs execute' AS detail FROM run
			WHERE state IN ('running', 'waiting_approval', 'waiting_children') GROUP BY session_id HAVING count(*) > 1`,
	"a lane holds no more than its cap has ever been": `
		SELECT lane.name AS record, count(run.id) || ' of ' || lane.cap AS detail FROM lane
			JOIN run ON run.lane = lane.name AND run.state = 'running' AND run.hold IS NULL
				AND run.backs_off_since IS NULL GROUP BY lane.name
			HAVING count(run.id) > max(lane.cap, coalesce((SELECT max(cap) FROM lane_change WHERE lane = lane.name), 8))`,
	"no run is live on a host that is gone, unless it is parked": `
		SELECT run.id AS record, run.state || ' on ' || run.host_id AS detail FROM run JOIN host ON host.id = run.host_id
			WHERE host.fenced_at IS NOT NULL AND run.ended_at IS NULL AND run.hold IS NOT 'parked'`,
	"the run that is marked ready is its session's turn, and the only one": `
		SELECT run.id AS record, 'ready = ' || run.is_ready AS detail FROM run
			WHERE run.state = 'queued' AND run.hold IS NULL AND run.is_ready <> (
				NOT EXISTS (SELECT 1 FROM run AS other WHERE other.session_id = run.session_id
					AND other.state IN ('running', 'waiting_approval', 'waiting_children'))
				AND run.seq = (SELECT seq FROM run AS other WHERE other.session_id = run.session_id
					AND other.state = 'queued' AND other.hold IS NULL ORDER BY priority DESC, place LIMIT 1))`,
	"every run's events begin with its acceptance": `
		SELECT run.id AS record, 'begins with ' || coalesce((SELECT type FROM event WHERE event.run_id = run.id
			ORDER BY event.seq LIMIT 1), 'nothing') AS detail FROM run
			WHERE (SELECT type FROM event WHERE event.run_id = run.id ORDER BY event.seq LIMIT 1) IS NOT 'subagent.spawned'`,
	"a run has one event of its end, with its state, if it has ended": `
		SELECT run.id AS record, run.state || ' with ' || count(event.seq) || ' ends' AS detail FROM run
			LEFT JOIN event ON event.run_id = run.id AND event.type = 'subagent.ended'
				AND json_extract(event.data, '$.state') = run.state
			GROUP BY run.id HAVING count(event.seq) <> (run.ended_at IS NOT NULL)`,
	"a run starts once": `
		SELECT run.id AS record, count(event.seq) || ' starts' AS detail FROM run
			JOIN event ON event.run_id = run.id AND event.type = 'subagent.started' GROUP BY run.id
			HAVING count(event.seq) > 1 OR run.started_at IS NULL`,
	"what is settled has an event that says so": `
		SELECT announcement.run_id AS record, announcement.state || ' without its event' AS detail FROM announcement
			WHERE announcement.state IN ('delivered', 'not_required') AND NOT EXISTS (SELECT 1 FROM event
				WHERE event.run_id = announcement.run_id AND event.type = 'subagent.announced'
					AND json_extract(event.data, '$.delivery') = announcement.state)`,
	"a subagent's session hangs on the session that asked for it": `
		SELECT session.id AS record, 'depth ' || session.depth || ' below depth ' || parent.depth AS detail FROM session
			JOIN session AS parent ON parent.id = session.parent_session_id
			WHERE session.kind = 'subagent' AND session.depth <> parent.depth + 1`,
	"a message is read by a run of its own session": `
		SELECT message.id AS record, 'read by ' || run.id AS detail FROM message JOIN run ON run.id = message.taken_by_run_id
			WHERE run.session_id <> message.session_id`,
	"times do not run backwards": `
		SELECT id AS record, queued_at || ', ' || coalesce(started_at, '-') || ', ' || coalesce(ended_at, '-') AS detail
			FROM run WHERE started_at < queued_at OR ended_at < coalesce(started_at, queued_at)`,
	"the ledger of each session adds up": `
		SELECT session.id AS record, 'tokens ' || coalesce(ledger.tokens, 0) || ' of ' || spent.tokens || ', turns '
				|| coalesce(ledger.turns, 0) || ' of ' || spent.turns AS detail
			FROM session JOIN (
				SELECT id, sum(tokens) AS tokens, sum(turns) AS turns, sum(tool_calls) AS calls, sum(spawns) AS spawns FROM (
					SELECT session_id AS id, input_tokens + output_tokens AS tokens, turns, tool_calls, spawns FROM run
					UNION ALL
					SELECT requester_session_id, input_tokens + output_tokens, turns, tool_calls, spawns FROM run
						WHERE requester_session_id <> session_id) GROUP BY id) AS spent USING (id)
			LEFT JOIN ledger ON ledger.scope = 'session' AND ledger.name = session.id
			WHERE (coalesce(ledger.tokens, 0), coalesce(ledger.turns, 0), coalesce(ledger.tool_calls, 0), coalesce(ledger.spawns, 0))
				IS NOT (spent.tokens, spent.turns, spent.calls, spent.spawns)`,
	"the ledgers of agents and of days add up": `
		SELECT scope AS record, 'tokens ' || kept.tokens || ' of ' || spent.tokens || ', turns ' || kept.turns || ' of '
				|| spent.turns AS detail
			FROM (SELECT coalesce(sum(input_tokens + output_tokens), 0) AS tokens, coalesce(sum(turns), 0) AS turns,
				coalesce(sum(tool_calls), 0) AS calls, coalesce(sum(spawns), 0) AS spawns FROM run) AS spent
			JOIN (SELECT wanted.scope, coalesce(sum(tokens), 0) AS tokens, coalesce(sum(turns), 0) AS turns,
				coalesce(sum(tool_calls), 0) AS calls, coalesce(sum(spawns), 0) AS spawns
				FROM (SELECT 'agent' AS scope UNION ALL SELECT 'day') AS wanted LEFT JOIN ledger USING (scope)
				GROUP BY wanted.scope) AS kept
			WHERE (kept.tokens, kept.turns, kept.calls, kept.spawns) IS NOT (spent.tokens, spent.turns, spent.calls, spent.spawns)`,
	"every reference leads somewhere": `
		SELECT "table" || ' ' || coalesce(rowid, '') AS record, 'points to a missing ' || parent AS detail
			FROM pragma_foreign_key_check`,
	"the file is sound": `
		SELECT 'muster.db' AS record, integrity_check AS detail FROM pragma_integrity_check WHERE integrity_check <> 'ok'`,
};

/** Looks at every invariant of the store and names each record that breaks one. */
export function verifyStore(sql: Sql): Verification {
	const violations = Object.entries(invariants).flatMap(([invariant, query]) =>
		sql.all<{ record: string; detail: string }>(`${query} LIMIT 100`).map((row) => ({ invariant, ...row })),
	);
	return { ok: violations.length === 0, checked: Object.keys(invariants), violations };
}
