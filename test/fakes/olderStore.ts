import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import { migrations } from "../../src/core/store/schema.ts";
import { temporaryFolder } from "./temporaryFolder.ts";

/** A store as a Muster left it that knew the first migration only: two hosts of that version, one fenced and one not, and a queued run. */
export function olderStore(): string {
	const folder = temporaryFolder();
	const database = new DatabaseSync(path.join(folder, "muster.db"));
	database.exec("PRAGMA journal_mode = WAL; PRAGMA foreign_keys = ON");
	database.exec(migrations[0] ?? "");
	database.exec(`
		INSERT INTO host (id, pid, kind, started_at, fenced_at) VALUES ('hst_ended', 41, 'window', 1, 2);
		INSERT INTO host (id, pid, kind, started_at) VALUES ('hst_old', 4711, 'cli', 1);
		INSERT INTO session (id, key, kind, agent_id, depth, created_at) VALUES ('ses_1', 'agent:main:user', 'user', 'scout', 0, 1);
		INSERT INTO run (id, session_id, host_id, kind, lane, cause, agent_id, task, model, request, announce_form, cleanup,
			state, place, is_ready, queued_at) VALUES ('run_old', 'ses_1', 'hst_old', 'main', 'main', 'turn', 'scout', 'Look', 'demo/demo',
			'{"runTimeoutSeconds": 900}', 'none', 'keep', 'queued', 1, 1, 1);
		INSERT INTO event (run_id, at, type, data) VALUES ('run_old', 1, 'subagent.spawned', '{}');
		INSERT INTO entry (session_id, run_id, turn, kind, text, at) VALUES ('ses_1', 'run_old', 0, 'user', 'find the kingfisher', 1);
		PRAGMA user_version = 1;
	`);
	database.close();
	return folder;
}
