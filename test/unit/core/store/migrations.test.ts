import { fork, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { readdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import { describe, expect, it, onTestFinished } from "vitest";
import { Database } from "../../../../src/core/store/database.ts";
import { holdHostLock } from "../../../../src/core/store/hostLock.ts";
import { openDatabase } from "../../../../src/core/store/openDatabase.ts";
import { operations } from "../../../../src/core/store/operations.ts";
import { migrations } from "../../../../src/core/store/schema.ts";
import type { Sql } from "../../../../src/core/store/sql.ts";
import { aRuntime, workerFile } from "../../../fakes/aRuntime.ts";
import { olderStore } from "../../../fakes/olderStore.ts";
import { RecordingLogger } from "../../../fakes/recordingLogger.ts";
import { ScriptedModel } from "../../../fakes/scriptedModel.ts";
import { temporaryFolder } from "../../../fakes/temporaryFolder.ts";

function open(folder: string): Sql {
	const { sql } = openDatabase(folder);
	onTestFinished(() => sql.close());
	return sql;
}

function start(program: string, ...words: readonly string[]): ChildProcess {
	const child = fork(new URL(program, import.meta.url), words);
	onTestFinished(() => void child.kill("SIGKILL"));
	return child;
}

const backupsIn = (folder: string) => readdirSync(folder).filter((name) => name.startsWith("muster.backup-"));

function versionOf(file: string): unknown {
	const database = new DatabaseSync(file);
	try {
		return database.prepare("PRAGMA user_version").get()?.["user_version"];
	} finally {
		database.close();
	}
}

describe("a database of an older version", () => {
	it("is brought to this version with all that it holds", () => {
		const sql = open(olderStore());
		expect(sql.version).toBe(migrations.length);
		expect(operations.getRun(sql, { runId: "run_old" })).toMatchObject({ task: "Look", state: "queued" });
		expect(operations.readEntries(sql, { sessionId: "ses_1", after: 0, limit: 9 })).toMatchObject([
			{ text: "find the kingfisher" },
		]);
		const found = sql.all("SELECT rowid FROM entry_search WHERE entry_search MATCH 'kingfisher'");
		expect(found).toHaveLength(1);
		expect(operations.verifyStore(sql).violations).toEqual([]);
	});

	it("is backed up before, as a sound database of its own version", () => {
		const folder = olderStore();
		open(folder);
		const [backup = "", ...others] = backupsIn(folder);
		expect(others).toEqual([]);
		expect(backup).toMatch(/^muster\.backup-\d{8}T\d{9}Z-v1-\d+\.db$/);
		const database = new DatabaseSync(path.join(folder, backup));
		onTestFinished(() => database.close());
		expect(database.prepare("PRAGMA integrity_check").all()).toMatchObject([{ integrity_check: "ok" }]);
		expect(versionOf(path.join(folder, backup))).toBe(1);
		expect(database.prepare("SELECT id FROM run").all()).toMatchObject([{ id: "run_old" }]);
		expect(() => database.prepare("SELECT * FROM approval")).toThrow("no such table");
	});

	it("keeps the newest three backups, and none is made where there was nothing before", () => {
		const folder = olderStore();
		const earlier = [1, 2, 3, 4].map((year) => `muster.backup-202${year}0101T000000000Z-v1-7.db`);
		for (const name of earlier) writeFileSync(path.join(folder, name), "");
		open(folder);
		expect(backupsIn(folder)).toEqual([earlier[2], earlier[3], expect.stringMatching(/-v1-\d+\.db$/)]);
		const empty = temporaryFolder();
		open(empty);
		expect(backupsIn(empty)).toEqual([]);
	});

	it("stays as it is and unchanged when the migration fails", () => {
		const folder = olderStore();
		const database = new DatabaseSync(path.join(folder, "muster.db"));
		database.exec("CREATE TABLE approval (in_the_way)");
		database.close();
		expect(() => openDatabase(folder)).toThrow("already exists");
		expect(versionOf(path.join(folder, "muster.db"))).toBe(1);
	});
});

describe("a database of an older version that another process works with", { timeout: 30_000 }, () => {
	it("is only read, live, and says who holds it; when that one has gone, it is migrated", async () => {
		const folder = olderStore();
		const holder = start("storeHolder.ts", folder, "hst_old");
		await once(holder, "message");

		const options = { folder, host: null, workerFile, logger: new RecordingLogger() };
		const database = await Database.open(options);
		expect(database.readOnly).toEqual({ kind: "held", holder: { pid: 4711, kind: "cli" } });
		expect(await database.call("listRuns", { limit: 10 })).toMatchObject([{ id: "run_old" }]);
		// A table that the old version does not have.
		expect(await database.call("listWaitingApprovals")).toEqual([]);
		const refused = database.call("registerHost", { hostId: "hst_2", pid: 1, kind: "cli", at: 1 });
		await expect(refused).rejects.toThrow("a muster command in a terminal (process 4711)");
		expect(backupsIn(folder)).toEqual([]);

		const changed = new Promise<void>((resolve) => database.onDidChangeElsewhere(resolve));
		const old = new DatabaseSync(path.join(folder, "muster.db"));
		old.exec("UPDATE run SET label = 'renamed'");
		await changed;
		expect(await database.call("listRuns", { limit: 10 })).toMatchObject([{ label: "renamed" }]);
		expect(old.prepare("PRAGMA user_version").get()).toMatchObject({ user_version: 1 });
		old.close();
		await database.close();

		holder.kill("SIGKILL");
		await once(holder, "exit");
		const later = await Database.open(options);
		onTestFinished(() => later.close());
		expect(later.readOnly).toBeNull();
		expect(backupsIn(folder)).toHaveLength(1);
	});

	it("is read with its own columns, and with nothing in those that it lacks", () => {
		const folder = olderStore();
		const database = new DatabaseSync(path.join(folder, "muster.db"));
		database.exec("ALTER TABLE run DROP COLUMN label; ALTER TABLE run DROP COLUMN usage_estimated");
		database.close();
		const lock = holdHostLock(folder, { hostId: "hst_old", pid: 4711, kind: "cli" });
		onTestFinished(() => lock.release());
		const [run] = operations.listRuns(open(folder), { limit: 10 });
		expect(run).toMatchObject({ id: "run_old", task: "Look", label: null, usage: { estimated: false } });
	});

	it("is shown by a runtime, which refuses to spawn and says why", async () => {
		const storeFolder = olderStore();
		const holder = start("storeHolder.ts", storeFolder, "hst_old");
		await once(holder, "message");
		const runtime = await aRuntime(new ScriptedModel(), { storeFolder });
		expect(runtime.runs.list()).toMatchObject([{ id: "run_old" }]);
		expect(await runtime.spawn({ agent: "scout", task: "Look" })).toMatchObject({
			status: "error",
			error: expect.stringContaining("a muster command in a terminal (process 4711). Close it"),
		});
		expect(versionOf(path.join(storeFolder, "muster.db"))).toBe(1);
	});

	it("is migrated once when two processes open it at the same moment", async () => {
		const folder = olderStore();
		const children = ["hst_a", "hst_b"].map((id) => start("startTogether.ts", folder, id));
		await Promise.all(children.map((child) => once(child, "message")));
		const opened = children.map((child) => once(child, "message"));
		for (const child of children) child.send("open");
		const answers = await Promise.all(opened);
		expect(answers.map(([answer]) => answer as unknown)).toEqual([
			{ readOnly: null, warning: null },
			{ readOnly: null, warning: null },
		]);
		const sql = open(folder);
		expect(operations.listHosts(sql).map(({ id }) => id)).toEqual(["hst_a", "hst_b", "hst_old"]);
		const ends = children.map((child) => once(child, "exit"));
		for (const child of children) child.send("close");
		await Promise.all(ends);
		expect(sql.version).toBe(migrations.length);
	});
});

describe("a database of a newer version", () => {
	it("is only read, keeps its version, and is not backed up", () => {
		const folder = olderStore();
		const database = new DatabaseSync(path.join(folder, "muster.db"));
		database.exec("PRAGMA user_version = 999");
		database.close();
		const { sql, readOnly } = openDatabase(folder);
		onTestFinished(() => sql.close());
		expect(readOnly).toEqual({ kind: "newer" });
		expect(() => sql.exec("DELETE FROM event")).toThrow("readonly");
		expect(sql.version).toBe(999);
		expect(backupsIn(folder)).toEqual([]);
	});
});
