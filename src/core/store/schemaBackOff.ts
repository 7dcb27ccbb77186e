/**
 * A run that waits before it asks its model again holds no slot meanwhile. It stays `running`: nobody has to do anything
 * about it, and its time counts on. It is no one's pause, so `hold` and what people ask of that are left alone.
 */
export const backOff = `
	ALTER TABLE run ADD COLUMN backs_off_since INTEGER
		CHECK (backs_off_since IS NULL OR (state = 'running' AND hold IS NULL));
	-- Its wait is over: from then on it wants its slot back.
	ALTER TABLE run ADD COLUMN returns_since INTEGER CHECK (returns_since IS NULL OR backs_off_since IS NOT NULL);

	DROP INDEX run_slot;
	CREATE INDEX run_slot ON run (lane, role) WHERE state = 'running' AND hold IS NULL AND backs_off_since IS NULL;
	CREATE INDEX run_returning ON run (lane, returns_since) WHERE returns_since IS NOT NULL;

	DROP TRIGGER run_slot_within_cap;
	CREATE TRIGGER run_slot_within_cap BEFORE UPDATE OF state, hold, backs_off_since ON run
		WHEN NEW.state = 'running' AND NEW.hold IS NULL AND NEW.backs_off_since IS NULL
			AND NOT (OLD.state = 'running' AND OLD.hold IS NULL AND OLD.backs_off_since IS NULL)
	BEGIN
		SELECT RAISE(ABORT, 'the lane is full') WHERE
			(SELECT count(*) FROM run WHERE lane = NEW.lane AND state = 'running' AND hold IS NULL
				AND backs_off_since IS NULL) >= (SELECT cap FROM lane WHERE name = NEW.lane);
		SELECT RAISE(ABORT, 'its host is gone') WHERE
			(SELECT fenced_at FROM host WHERE id = NEW.host_id) IS NOT NULL;
	END;
`;
