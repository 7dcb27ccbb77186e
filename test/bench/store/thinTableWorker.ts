import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import { parentPort, workerData } from "node:worker_threads";
import type { ThinWrite, ToThinWorker } from "./thinTable.ts";

const { folder } = workerData as { readonly folder: string };
const database = new DatabaseSync(path.join(folder, "thin.db"), { timeout: 5_000 });
database.exec(`PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;
	CREATE TABLE IF NOT EXISTS run (seq INTEGER PRIMARY KEY, id TEXT UNIQUE NOT NULL, state TEXT NOT NULL, body TEXT NOT NULL);
	CREATE INDEX IF NOT EXISTS run_queued ON run (seq) WHERE state = 'queued';
	CREATE TABLE IF NOT EXISTS outbox (seq INTEGER PRIMARY KEY, run_id TEXT UNIQUE NOT NULL);`);
const insert = database.prepare("INSERT INTO run (id, state, body) VALUES (?, 'queued', ?)");
const finish = database.prepare("UPDATE run SET state = 'ok' WHERE id = ?");
const announce = database.prepare("INSERT INTO outbox (run_id) VALUES (?)");
const claim = database.prepare(`UPDATE run SET state = 'running'
	WHERE seq = (SELECT seq FROM run WHERE state = 'queued' ORDER BY seq LIMIT 1)`);
const list = database.prepare("SELECT * FROM run ORDER BY seq DESC LIMIT ?");

function apply(write: ThinWrite): void {
	switch (write.kind) {
		case "accept":
			insert.run(write.id, write.body);
			return;
		case "finish":
			finish.run(write.id);
			announce.run(write.id);
			return;
		case "claim":
			claim.run();
	}
}

parentPort?.on("message", (message: ToThinWorker) => {
	switch (message.kind) {
		case "write":
			database.exec("BEGIN IMMEDIATE");
			for (const write of message.writes) apply(write);
			database.exec("COMMIT");
			parentPort?.postMessage(null);
			return;
		case "list":
			parentPort?.postMessage(list.all(message.limit));
			return;
		case "close":
			database.close();
			parentPort?.close();
	}
});
parentPort?.postMessage(null);
