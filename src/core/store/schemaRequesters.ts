/** What is kept for those who ask for runs: their lists of steps, and results that a client has not been told of yet. */
export const requesters = `
	CREATE TABLE todo_item (
		session_id TEXT NOT NULL REFERENCES session (id),
		id TEXT NOT NULL,
		place INTEGER NOT NULL,
		content TEXT NOT NULL,
		status TEXT NOT NULL CHECK (status IN ('pending', 'in_progress', 'completed', 'blocked')),
		PRIMARY KEY (session_id, id)
	) STRICT, WITHOUT ROWID;

	-- Of sessions that nobody can wake: these are put before the answer of that client's next call.
	CREATE TABLE untold (
		entry_seq INTEGER PRIMARY KEY,
		session_id TEXT NOT NULL REFERENCES session (id)
	) STRICT;
	CREATE INDEX untold_session ON untold (session_id, entry_seq);
	CREATE TRIGGER entry_is_untold AFTER INSERT ON entry WHEN NEW.kind = 'announcement'
		AND (SELECT kind FROM session WHERE id = NEW.session_id) = 'external'
	BEGIN INSERT INTO untold (entry_seq, session_id) VALUES (NEW.seq, NEW.session_id); END;
`;
