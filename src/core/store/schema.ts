import { approvals } from "./schemaApprovals.ts";
import { backOff } from "./schemaBackOff.ts";
import { consents } from "./schemaConsents.ts";
import { failures } from "./schemaFailures.ts";
import { findings } from "./schemaFindings.ts";
import { ledger } from "./schemaLedger.ts";
import { plans } from "./schemaPlans.ts";
import { requesters } from "./schemaRequesters.ts";

/**
 * The database's shape, as numbered migrations: `migrations[n]` takes a database of version n to n + 1.
 *
 * Constraints make illegal states unwritable: a run ends once and stays ended, a session executes one run at a time, no
 * lane holds more than its cap, nothing starts on a host that is gone, every end has its announcement, and a run is
 * announced to its receiver once.
 */
const hosts = `
	CREATE TABLE host (
		id TEXT PRIMARY KEY,
		pid INTEGER NOT NULL,
		kind TEXT NOT NULL CHECK (kind IN ('window', 'cli', 'worker')),
		started_at INTEGER NOT NULL,
		-- From then on it may write nothing: it has ended, or others have found it dead.
		fenced_at INTEGER
	) STRICT;
`;

const lanes = `
	CREATE TABLE lane (
		name TEXT PRIMARY KEY CHECK (name IN ('main', 'subagent')),
		cap INTEGER NOT NULL CHECK (cap BETWEEN 1 AND 64),
		is_paused INTEGER NOT NULL DEFAULT 0 CHECK (is_paused IN (0, 1))
	) STRICT;
	INSERT INTO lane (name, cap) VALUES ('main', 4), ('subagent', 8);
	CREATE TABLE role_cap (role TEXT PRIMARY KEY, cap INTEGER NOT NULL CHECK (cap >= 1)) STRICT;
	CREATE TABLE provider_pause (provider TEXT PRIMARY KEY, until INTEGER NOT NULL, reason TEXT NOT NULL) STRICT;
	-- Caps over time, so that "never more than the cap" can be checked afterwards.
	CREATE TABLE lane_change (seq INTEGER PRIMARY KEY, lane TEXT NOT NULL, cap INTEGER NOT NULL, at INTEGER NOT NULL) STRICT;
`;

const sessions = `
	CREATE TABLE session (
		id TEXT PRIMARY KEY,
		key TEXT NOT NULL UNIQUE,
		kind TEXT NOT NULL CHECK (kind IN ('main', 'subagent', 'user', 'external')),
		agent_id TEXT NOT NULL,
		parent_session_id TEXT REFERENCES session (id),
		depth INTEGER NOT NULL CHECK (depth >= 0),
		created_at INTEGER NOT NULL,
		-- The messages are gone; the row stays, so that nothing is announced into another session of that key.
		deleted_at INTEGER,
		CHECK (kind <> 'subagent' OR (parent_session_id IS NOT NULL AND depth >= 1))
	) STRICT;
`;

const runs = `
	CREATE TABLE run (
		seq INTEGER PRIMARY KEY,
		id TEXT NOT NULL UNIQUE,
		session_id TEXT NOT NULL REFERENCES session (id),
		requester_session_id TEXT REFERENCES session (id),
		parent_run_id TEXT REFERENCES run (id),
		host_id TEXT NOT NULL REFERENCES host (id),
		kind TEXT NOT NULL CHECK (kind IN ('main', 'subagent')),
		lane TEXT NOT NULL REFERENCES lane (name),
		cause TEXT NOT NULL CHECK (cause IN ('spawn', 'send', 'resume', 'plan', 'turn', 'wake')),
		agent_id TEXT NOT NULL,
		role TEXT,
		label TEXT,
		task TEXT NOT NULL CHECK (trim(task) <> ''),
		model TEXT NOT NULL,
		request TEXT NOT NULL CHECK (json_valid(request)),
		announce_form TEXT NOT NULL CHECK (announce_form IN ('compact', 'full', 'silent', 'none')),
		cleanup TEXT NOT NULL CHECK (cleanup IN ('keep', 'delete')),
		-- A second spawn with the same key is the same spawn, if it asks for the same.
		retry_key TEXT,
		request_hash TEXT,
		state TEXT NOT NULL CHECK (state IN ('queued', 'running', 'waiting_approval', 'waiting_children',
			'ok', 'partial', 'error', 'timeout', 'canceled', 'lost')),
		hold TEXT CHECK (hold IN ('parked', 'paused')),
		priority INTEGER NOT NULL DEFAULT 0,
		place REAL NOT NULL,
		-- Queued, not held, and its session's turn. Kept by refreshReadiness, so that a claim looks at these alone.
		is_ready INTEGER NOT NULL DEFAULT 0 CHECK (is_ready IN (0, 1)),
		wants_since INTEGER,
		stop_requested_at INTEGER,
		pause_requested_at INTEGER,
		queued_at INTEGER NOT NULL,
		started_at INTEGER,
		ended_at INTEGER,
		input_tokens INTEGER NOT NULL DEFAULT 0,
		output_tokens INTEGER NOT NULL DEFAULT 0,
		cache_read_tokens INTEGER NOT NULL DEFAULT 0,
		reasoning_tokens INTEGER NOT NULL DEFAULT 0,
		usd REAL DEFAULT 0,
		usage_estimated INTEGER NOT NULL DEFAULT 0,
		summary TEXT,
		error TEXT,
		archived_at INTEGER,
		CHECK ((state IN ('ok', 'partial', 'error', 'timeout', 'canceled', 'lost')) = (ended_at IS NOT NULL)),
		CHECK (state <> 'queued' OR started_at IS NULL),
		CHECK (state NOT IN ('running', 'waiting_approval', 'waiting_children', 'ok', 'partial', 'timeout', 'lost')
			OR started_at IS NOT NULL),
		CHECK (hold IS NULL OR (hold = 'parked' AND state = 'queued')
			OR (hold = 'paused' AND state IN ('queued', 'running'))),
		CHECK (is_ready = 0 OR (state = 'queued' AND hold IS NULL)),
		CHECK (wants_since IS NULL OR hold = 'paused' OR state IN ('waiting_approval', 'waiting_children')),
		CHECK (archived_at IS NULL OR ended_at IS NOT NULL)
	) STRICT;
	CREATE INDEX run_ready ON run (lane, priority DESC, place) WHERE is_ready = 1;
	CREATE INDEX run_queue ON run (lane, priority DESC, place) WHERE state = 'queued' AND hold IS NULL;
	CREATE INDEX run_turn ON run (session_id, priority DESC, place) WHERE state = 'queued' AND hold IS NULL;
	CREATE INDEX run_wanting ON run (lane, wants_since) WHERE wants_since IS NOT NULL;
	CREATE INDEX run_slot ON run (lane, role) WHERE state = 'running' AND hold IS NULL;
	CREATE INDEX run_host ON run (host_id) WHERE ended_at IS NULL;
	CREATE INDEX run_asked ON run (host_id) WHERE ended_at IS NULL
		AND (stop_requested_at IS NOT NULL OR pause_requested_at IS NOT NULL);
	CREATE INDEX run_requester ON run (requester_session_id, seq) WHERE archived_at IS NULL;
	CREATE INDEX run_parent ON run (parent_run_id) WHERE parent_run_id IS NOT NULL;
	CREATE INDEX run_kept ON run (ended_at) WHERE archived_at IS NULL AND ended_at IS NOT NULL;
	CREATE UNIQUE INDEX run_retry ON run (requester_session_id, retry_key) WHERE retry_key IS NOT NULL;
	CREATE UNIQUE INDEX run_one_at_a_time ON run (session_id)
		WHERE state IN ('running', 'waiting_approval', 'waiting_children');

	CREATE TRIGGER run_born_queued BEFORE INSERT ON run WHEN NEW.state <> 'queued'
	BEGIN SELECT RAISE(ABORT, 'a run begins queued'); END;
	CREATE TRIGGER run_ends_once BEFORE UPDATE OF state, ended_at, summary, error ON run WHEN OLD.ended_at IS NOT NULL
	BEGIN SELECT RAISE(ABORT, 'a run ends once'); END;
	CREATE TRIGGER run_is_kept BEFORE DELETE ON run
	BEGIN SELECT RAISE(ABORT, 'runs are archived, never deleted'); END;
	CREATE TRIGGER run_slot_within_cap BEFORE UPDATE OF state, hold ON run
		WHEN NEW.state = 'running' AND NEW.hold IS NULL AND NOT (OLD.state = 'running' AND OLD.hold IS NULL)
	BEGIN
		SELECT RAISE(ABORT, 'the lane is full') WHERE
			(SELECT count(*) FROM run WHERE lane = NEW.lane AND state = 'running' AND hold IS NULL)
				>= (SELECT cap FROM lane WHERE name = NEW.lane);
		SELECT RAISE(ABORT, 'its host is gone') WHERE
			(SELECT fenced_at FROM host WHERE id = NEW.host_id) IS NOT NULL;
	END;
`;

const transcripts = `
	CREATE TABLE entry (
		seq INTEGER PRIMARY KEY,
		session_id TEXT NOT NULL REFERENCES session (id),
		run_id TEXT REFERENCES run (id),
		turn INTEGER NOT NULL,
		kind TEXT NOT NULL CHECK (kind IN ('user', 'text', 'reasoning', 'tool_call', 'tool_result', 'announcement', 'notice', 'replay')),
		tool_name TEXT,
		tool_call_id TEXT,
		text TEXT NOT NULL,
		is_error INTEGER NOT NULL DEFAULT 0,
		at INTEGER NOT NULL
	) STRICT;
	CREATE INDEX entry_session ON entry (session_id, seq);
	CREATE INDEX entry_run ON entry (run_id, turn);
	CREATE UNIQUE INDEX entry_announced_once ON entry (session_id, run_id) WHERE kind = 'announcement';

	CREATE VIRTUAL TABLE entry_search USING fts5 (text, content = 'entry', content_rowid = 'seq');
	CREATE TRIGGER entry_is_found AFTER INSERT ON entry WHEN NEW.kind IN ('user', 'text', 'announcement')
	BEGIN INSERT INTO entry_search (rowid, text) VALUES (NEW.seq, NEW.text); END;
	CREATE TRIGGER entry_is_forgotten AFTER DELETE ON entry WHEN OLD.kind IN ('user', 'text', 'announcement')
	BEGIN INSERT INTO entry_search (entry_search, rowid, text) VALUES ('delete', OLD.seq, OLD.text); END;

	-- What was said to a session while a run of it executes: read at the run's next boundary.
	CREATE TABLE message (
		seq INTEGER PRIMARY KEY,
		id TEXT NOT NULL UNIQUE,
		session_id TEXT NOT NULL REFERENCES session (id),
		text TEXT NOT NULL,
		created_at INTEGER NOT NULL,
		taken_by_run_id TEXT REFERENCES run (id)
	) STRICT;
	CREATE INDEX message_waiting ON message (session_id, seq) WHERE taken_by_run_id IS NULL;
`;

const announcements = `
	CREATE TABLE announcement (
		run_id TEXT PRIMARY KEY REFERENCES run (id),
		receiver_session_id TEXT REFERENCES session (id),
		state TEXT NOT NULL CHECK (state IN ('pending', 'delivered', 'not_required', 'blocked', 'dead_letter', 'dismissed')),
		created_at INTEGER NOT NULL,
		settled_at INTEGER,
		attempts INTEGER NOT NULL DEFAULT 0,
		next_attempt_at INTEGER,
		CHECK ((state IN ('pending', 'blocked')) = (settled_at IS NULL)),
		CHECK (receiver_session_id IS NOT NULL OR state = 'not_required')
	) STRICT;
	CREATE INDEX announcement_waiting ON announcement (receiver_session_id, created_at) WHERE settled_at IS NULL;

	CREATE TRIGGER run_end_announces AFTER UPDATE OF ended_at ON run WHEN OLD.ended_at IS NULL AND NEW.ended_at IS NOT NULL
	BEGIN
		INSERT INTO announcement (run_id, receiver_session_id, state, created_at, settled_at) SELECT
			NEW.id, NEW.requester_session_id, CASE WHEN needless THEN 'not_required' ELSE 'pending' END,
			NEW.ended_at, CASE WHEN needless THEN NEW.ended_at END
			FROM (SELECT NEW.requester_session_id IS NULL OR NEW.announce_form = 'none' AS needless);
	END;
	CREATE TRIGGER announcement_is_settled_once BEFORE UPDATE OF state ON announcement
		WHEN OLD.state IN ('delivered', 'not_required', 'dismissed')
	BEGIN SELECT RAISE(ABORT, 'an announcement is settled once'); END;
	CREATE TRIGGER announcement_is_kept BEFORE DELETE ON announcement
	BEGIN SELECT RAISE(ABORT, 'announcements are kept'); END;
	CREATE TRIGGER entry_settles_announcement AFTER INSERT ON entry WHEN NEW.kind = 'announcement'
	BEGIN
		SELECT RAISE(ABORT, 'nothing is to be announced there') WHERE NOT EXISTS (SELECT 1 FROM announcement
			WHERE run_id = NEW.run_id AND receiver_session_id = NEW.session_id
				AND state IN ('pending', 'blocked', 'dead_letter'));
		UPDATE announcement SET state = 'delivered', settled_at = NEW.at WHERE run_id = NEW.run_id;
	END;
`;

const events = `
	CREATE TABLE event (
		seq INTEGER PRIMARY KEY,
		run_id TEXT NOT NULL REFERENCES run (id),
		at INTEGER NOT NULL,
		type TEXT NOT NULL,
		data TEXT NOT NULL CHECK (json_valid(data))
	) STRICT;
	CREATE INDEX event_run ON event (run_id, seq);
`;

/** Who brings an archived run back wants it to stay for a while. */
const restored = "ALTER TABLE run ADD COLUMN restored_at INTEGER;";

/** A call that was cut off is looked into once, for the run that goes on. */
const judged = "ALTER TABLE effect ADD COLUMN judged_at INTEGER;";

export const migrations: readonly string[] = [
	[hosts, lanes, sessions, runs, transcripts, announcements, events].join("\n"),
	approvals,
	plans,
	consents,
	restored,
	judged,
	ledger,
	requesters,
	backOff,
	findings,
	failures,
];
