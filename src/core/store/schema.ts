/**
 * The database's shape, as numbered migrations: `migrations[n]` takes a database of version n to n + 1.
 *
 * Constraints make illegal states unwritable: a run ends once and stays ended, a session executes one run at a time, a
 * run is announced to its receiver once.
 */
export const migrations: readonly string[] = [
	`
	CREATE TABLE host (
		id TEXT PRIMARY KEY,
		pid INTEGER NOT NULL,
		kind TEXT NOT NULL CHECK (kind IN ('window', 'cli')),
		started_at INTEGER NOT NULL,
		ended_at INTEGER
	) STRICT;

	CREATE TABLE session (
		id TEXT PRIMARY KEY,
		key TEXT NOT NULL UNIQUE,
		kind TEXT NOT NULL CHECK (kind IN ('main', 'subagent', 'user', 'external')),
		agent_id TEXT NOT NULL,
		parent_session_id TEXT REFERENCES session (id),
		depth INTEGER NOT NULL CHECK (depth >= 0),
		created_at INTEGER NOT NULL
	) STRICT;

	CREATE TABLE run (
		seq INTEGER PRIMARY KEY,
		id TEXT NOT NULL UNIQUE,
		session_id TEXT NOT NULL REFERENCES session (id),
		requester_session_id TEXT NOT NULL REFERENCES session (id),
		parent_run_id TEXT REFERENCES run (id),
		host_id TEXT NOT NULL REFERENCES host (id),
		kind TEXT NOT NULL CHECK (kind IN ('main', 'subagent')),
		lane TEXT NOT NULL CHECK (lane IN ('main', 'subagent')),
		agent_id TEXT NOT NULL,
		label TEXT,
		task TEXT NOT NULL CHECK (trim(task) <> ''),
		context TEXT,
		model TEXT NOT NULL,
		state TEXT NOT NULL CHECK (state IN ('queued', 'running', 'waiting_approval', 'waiting_children',
			'ok', 'partial', 'error', 'timeout', 'canceled', 'lost')),
		hold TEXT CHECK (hold IN ('parked', 'paused')),
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
		CHECK ((state IN ('ok', 'partial', 'error', 'timeout', 'canceled', 'lost')) = (ended_at IS NOT NULL)),
		CHECK (state <> 'queued' OR started_at IS NULL),
		CHECK (state NOT IN ('running', 'waiting_approval', 'waiting_children', 'ok', 'partial', 'timeout')
			OR started_at IS NOT NULL)
	) STRICT;
	CREATE INDEX run_live ON run (lane, seq) WHERE ended_at IS NULL;
	CREATE INDEX run_host ON run (host_id) WHERE ended_at IS NULL;
	CREATE UNIQUE INDEX run_one_at_a_time ON run (session_id)
		WHERE state IN ('running', 'waiting_approval', 'waiting_children');
	CREATE TRIGGER run_ends_once BEFORE UPDATE ON run WHEN OLD.ended_at IS NOT NULL AND
		(NEW.state <> OLD.state OR NEW.ended_at IS NOT OLD.ended_at)
	BEGIN SELECT RAISE(ABORT, 'a run ends once'); END;

	CREATE TABLE entry (
		seq INTEGER PRIMARY KEY,
		session_id TEXT NOT NULL REFERENCES session (id),
		run_id TEXT REFERENCES run (id),
		turn INTEGER NOT NULL,
		kind TEXT NOT NULL CHECK (kind IN ('user', 'text', 'reasoning', 'tool_call', 'tool_result', 'announcement', 'notice')),
		tool_name TEXT,
		tool_call_id TEXT,
		text TEXT NOT NULL,
		is_error INTEGER NOT NULL DEFAULT 0,
		at INTEGER NOT NULL
	) STRICT;
	CREATE INDEX entry_session ON entry (session_id, seq);
	CREATE UNIQUE INDEX entry_announced_once ON entry (session_id, run_id) WHERE kind = 'announcement';

	CREATE TABLE outbox (
		run_id TEXT PRIMARY KEY REFERENCES run (id),
		receiver_session_id TEXT NOT NULL REFERENCES session (id),
		text TEXT NOT NULL,
		created_at INTEGER NOT NULL,
		delivered_at INTEGER
	) STRICT;
	CREATE INDEX outbox_pending ON outbox (created_at) WHERE delivered_at IS NULL;

	CREATE TABLE event (
		seq INTEGER PRIMARY KEY,
		run_id TEXT NOT NULL REFERENCES run (id),
		at INTEGER NOT NULL,
		type TEXT NOT NULL,
		data TEXT NOT NULL CHECK (json_valid(data))
	) STRICT;
	CREATE INDEX event_run ON event (run_id, seq);
	`,
];
