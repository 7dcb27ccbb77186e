/**
 * What runs have used up, while they run too: by run, by session (its own runs and those it asked for), by agent and day,
 * and by day. The sums are kept, so that asking for one costs the same however many runs there are.
 */
export const ledger = `
	ALTER TABLE run ADD COLUMN turns INTEGER NOT NULL DEFAULT 0;
	ALTER TABLE run ADD COLUMN tool_calls INTEGER NOT NULL DEFAULT 0;
	ALTER TABLE run ADD COLUMN spawns INTEGER NOT NULL DEFAULT 0;

	CREATE TABLE ledger (
		scope TEXT NOT NULL CHECK (scope IN ('session', 'agent', 'day')),
		-- Of the session or the agent; empty for a day.
		name TEXT NOT NULL,
		-- As in 2026-11-19, where the process was; empty for a session, which has no day.
		day TEXT NOT NULL,
		tokens INTEGER NOT NULL DEFAULT 0,
		usd REAL NOT NULL DEFAULT 0,
		turns INTEGER NOT NULL DEFAULT 0,
		tool_calls INTEGER NOT NULL DEFAULT 0,
		spawns INTEGER NOT NULL DEFAULT 0,
		PRIMARY KEY (scope, name, day),
		CHECK ((scope = 'session') = (day = '')),
		CHECK ((scope = 'day') = (name = ''))
	) STRICT, WITHOUT ROWID;

	INSERT INTO ledger (scope, name, day, tokens, usd)
		SELECT 'session', session_id, '', sum(tokens), sum(usd) FROM (
			SELECT session_id, input_tokens + output_tokens AS tokens, coalesce(usd, 0) AS usd FROM run
			UNION ALL
			SELECT requester_session_id, input_tokens + output_tokens, coalesce(usd, 0) FROM run
				WHERE requester_session_id <> session_id)
		GROUP BY session_id;
	INSERT INTO ledger (scope, name, day, tokens, usd)
		SELECT 'agent', agent_id, date(coalesce(ended_at, queued_at) / 1000, 'unixepoch', 'localtime') AS day,
			sum(input_tokens + output_tokens), sum(coalesce(usd, 0)) FROM run GROUP BY agent_id, day;
	INSERT INTO ledger (scope, name, day, tokens, usd)
		SELECT 'day', '', day, sum(tokens), sum(usd) FROM ledger WHERE scope = 'agent' GROUP BY day;
`;
