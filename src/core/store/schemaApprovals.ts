/** Questions to people, their answers, and what tools did to the world: everything that stands around the gate. */
export const approvals = `
	CREATE TABLE approval (
		seq INTEGER PRIMARY KEY,
		id TEXT NOT NULL UNIQUE,
		kind TEXT NOT NULL CHECK (kind IN ('tool', 'plan')),
		run_id TEXT NOT NULL REFERENCES run (id),
		session_id TEXT NOT NULL REFERENCES session (id),
		agent_path TEXT NOT NULL,
		call_id TEXT NOT NULL,
		tool TEXT NOT NULL,
		effect TEXT NOT NULL,
		subject TEXT NOT NULL,
		input TEXT NOT NULL CHECK (json_valid(input)),
		hash TEXT NOT NULL,
		why TEXT NOT NULL,
		offers TEXT NOT NULL CHECK (json_valid(offers)),
		created_at INTEGER NOT NULL,
		state TEXT NOT NULL CHECK (state IN ('waiting', 'allowed', 'denied', 'withdrawn')),
		scope TEXT CHECK (scope IN ('once', 'run', 'agent', 'always')),
		reason TEXT,
		answered_by TEXT,
		answered_pid INTEGER,
		answered_at INTEGER,
		CHECK ((state = 'waiting') = (answered_at IS NULL)),
		CHECK ((state IN ('allowed', 'denied')) = (scope IS NOT NULL AND answered_by IS NOT NULL))
	) STRICT;
	CREATE UNIQUE INDEX approval_one_per_call ON approval (run_id, call_id) WHERE kind = 'tool';
	CREATE INDEX approval_waiting ON approval (seq) WHERE state = 'waiting';
	CREATE TRIGGER approval_is_answered_once BEFORE UPDATE OF state ON approval WHEN OLD.state <> 'waiting'
	BEGIN SELECT RAISE(ABORT, 'an approval is answered once'); END;
	CREATE TRIGGER approval_is_kept BEFORE DELETE ON approval
	BEGIN SELECT RAISE(ABORT, 'approvals are kept'); END;
	CREATE TRIGGER approval_ends_with_its_run AFTER UPDATE OF ended_at ON run
		WHEN OLD.ended_at IS NULL AND NEW.ended_at IS NOT NULL
	BEGIN
		UPDATE approval SET state = 'withdrawn', answered_at = NEW.ended_at
			WHERE run_id = NEW.id AND state = 'waiting' AND kind = 'tool';
	END;

	-- Answers that hold for longer than one call, in this workspace.
	CREATE TABLE standing_answer (
		id TEXT PRIMARY KEY,
		approval_id TEXT NOT NULL REFERENCES approval (id),
		verdict TEXT NOT NULL CHECK (verdict IN ('allow', 'deny')),
		scope TEXT NOT NULL CHECK (scope IN ('run', 'agent')),
		run_id TEXT NOT NULL REFERENCES run (id),
		agent_id TEXT NOT NULL,
		agent_hash TEXT,
		rule TEXT NOT NULL,
		created_at INTEGER NOT NULL,
		revoked_at INTEGER
	) STRICT;
	CREATE INDEX standing_answer_agent ON standing_answer (agent_id) WHERE revoked_at IS NULL;

	-- The start of each call that changes something, committed before it does.
	CREATE TABLE effect (
		seq INTEGER PRIMARY KEY,
		run_id TEXT NOT NULL REFERENCES run (id),
		call_id TEXT NOT NULL,
		tool TEXT NOT NULL,
		kind TEXT NOT NULL,
		subject TEXT NOT NULL,
		input_hash TEXT NOT NULL,
		because TEXT NOT NULL,
		at INTEGER NOT NULL
	) STRICT;
	CREATE INDEX effect_run ON effect (run_id, call_id);

	-- What a run does to files: what was there, what is to be there, and whether it came to that.
	CREATE TABLE change (
		seq INTEGER PRIMARY KEY,
		run_id TEXT NOT NULL REFERENCES run (id),
		call_id TEXT NOT NULL,
		path TEXT NOT NULL,
		pre_image BLOB,
		base_hash TEXT,
		intended_hash TEXT NOT NULL,
		at INTEGER NOT NULL,
		outcome TEXT CHECK (outcome IN ('written', 'notWritten')),
		settled_at INTEGER,
		CHECK ((pre_image IS NULL) = (base_hash IS NULL)),
		CHECK ((outcome IS NULL) = (settled_at IS NULL))
	) STRICT;
	CREATE INDEX change_run ON change (run_id, call_id);
`;
