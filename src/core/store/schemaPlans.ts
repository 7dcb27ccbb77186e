/** Plans: what runs in plan mode ended with, each text of it that was saved, remarks, and the decision. */
export const plans = `
	CREATE TABLE plan (
		seq INTEGER PRIMARY KEY,
		id TEXT NOT NULL UNIQUE,
		run_id TEXT NOT NULL UNIQUE REFERENCES run (id),
		session_id TEXT NOT NULL REFERENCES session (id),
		state TEXT NOT NULL CHECK (state IN ('awaiting', 'approved', 'rejected', 'closed', 'failed')),
		created_at INTEGER NOT NULL,
		decided_by TEXT,
		decided_pid INTEGER,
		decided_at INTEGER,
		approved_hash TEXT,
		reason TEXT,
		successor_id TEXT REFERENCES plan (id),
		carried_out_by TEXT REFERENCES run (id),
		CHECK ((state IN ('approved', 'rejected', 'closed')) = (decided_at IS NOT NULL)),
		CHECK ((state = 'approved') = (approved_hash IS NOT NULL AND carried_out_by IS NOT NULL))
	) STRICT;
	CREATE INDEX plan_awaiting ON plan (seq) WHERE state = 'awaiting';
	CREATE INDEX plan_session ON plan (session_id, seq);
	CREATE TRIGGER plan_is_decided_once BEFORE UPDATE OF state ON plan WHEN OLD.state <> 'awaiting'
	BEGIN SELECT RAISE(ABORT, 'a plan is decided once'); END;
	CREATE TRIGGER plan_is_kept BEFORE DELETE ON plan BEGIN SELECT RAISE(ABORT, 'plans are kept'); END;

	CREATE TABLE plan_revision (
		plan_id TEXT NOT NULL REFERENCES plan (id),
		revision INTEGER NOT NULL CHECK (revision >= 1),
		text TEXT NOT NULL,
		hash TEXT NOT NULL,
		author TEXT NOT NULL CHECK (author IN ('agent', 'user')),
		at INTEGER NOT NULL,
		PRIMARY KEY (plan_id, revision)
	) STRICT, WITHOUT ROWID;
	CREATE TRIGGER plan_text_is_settled BEFORE INSERT ON plan_revision
		WHEN NEW.revision > 1 AND (SELECT state FROM plan WHERE id = NEW.plan_id) <> 'awaiting'
	BEGIN SELECT RAISE(ABORT, 'a decided plan does not change'); END;

	CREATE TABLE plan_comment (
		id TEXT PRIMARY KEY,
		plan_id TEXT NOT NULL REFERENCES plan (id),
		revision INTEGER NOT NULL,
		line INTEGER NOT NULL CHECK (line >= 1),
		quoted TEXT NOT NULL,
		text TEXT NOT NULL,
		at INTEGER NOT NULL
	) STRICT;
	CREATE INDEX plan_comment_plan ON plan_comment (plan_id, line);
`;
