import { fork } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync, truncateSync, writeFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { Database } from "../../../../src/core/store/database.ts";
import { aStore, accept } from "../../../fakes/aStore.ts";
import { workerFile } from "../../../fakes/aRuntime.ts";
import { RecordingLogger } from "../../../fakes/recordingLogger.ts";
import { temporaryFolder } from "../../../fakes/temporaryFolder.ts";

const words = "this is not a database, but somebody may want it\n".repeat(100);
const damagedIn = (folder: string) => readdirSync(folder).filter((name) => name.startsWith("muster.damaged-"));

async function open(folder: string, logger = new RecordingLogger(), hostId = "hst_new"): Promise<Database> {
	const host = { hostId, pid: process.pid, kind: "window", at: 1 } as const;
	const database = await Database.open({ folder, host, workerFile, logger });
	onTestFinished(() => database.close());
	return database;
}

/** A store whose schema is there and whose file ends in the middle. */
function aTruncatedStore(): string {
	const folder = temporaryFolder();
	const sql = aStore(folder);
	for (let index = 0; index < 20; index++) accept(sql, `run_${index}`);
	sql.close();
	truncateSync(path.join(folder, "muster.db"), 20_000);
	return folder;
}

describe("a damaged database", () => {
	it("is set aside as it is, with its log, and an empty one takes its place; one warning names the file", async () => {
		const folder = temporaryFolder({ "muster.db": words, "muster.db-wal": "a log", "muster.db-shm": "its index" });
		const logger = new RecordingLogger();
		const database = await open(folder, logger);
		expect(await database.call("listRuns", { limit: 10 })).toEqual([]);
		const [name = "", ...others] = damagedIn(folder).filter((file) => file.endsWith(".db"));
		expect(others).toEqual([]);
		expect(readFileSync(path.join(folder, name), "utf8")).toBe(words);
		expect(logger.lines).toEqual([`warn ${database.warning}`]);
		expect(database.warning).toContain(path.join(folder, name));
		await database.close();
		expect((await open(folder, logger, "hst_next")).warning).toBeNull();
		expect(logger.lines).toHaveLength(1);
	});

	it("is known by a file that ends too early", async () => {
		const folder = aTruncatedStore();
		const database = await open(folder);
		expect(damagedIn(folder).filter((file) => file.endsWith(".db"))).toHaveLength(1);
		expect(await database.call("verifyStore")).toMatchObject({ ok: true });
	});

	it("is kept beside those from before", async () => {
		const folder = temporaryFolder({ "muster.db": words });
		await (await open(folder)).close();
		writeFileSync(path.join(folder, "muster.db"), "once more, and longer than before\n".repeat(200));
		await open(folder, new RecordingLogger(), "hst_next");
		expect(damagedIn(folder).map((name) => readFileSync(path.join(folder, name), "utf8").slice(0, 9))).toEqual([
			"this is n",
			"once more",
		]);
	});

	it("is left alone while another process has it open, which is named", { timeout: 30_000 }, async () => {
		const folder = temporaryFolder({ "muster.db": words });
		const holder = fork(new URL("storeHolder.ts", import.meta.url), [folder, "hst_other"]);
		onTestFinished(() => void holder.kill("SIGKILL"));
		await once(holder, "message");
		await expect(open(folder)).rejects.toThrow(`a muster command in a terminal (process ${holder.pid})`);
		expect(readFileSync(path.join(folder, "muster.db"), "utf8")).toBe(words);
		expect(damagedIn(folder)).toEqual([]);
		holder.kill("SIGKILL");
		await once(holder, "exit");
		expect((await open(folder)).warning).toContain("was set aside");
	});

	it("is set aside once when two processes find it at the same moment", { timeout: 30_000 }, async () => {
		const folder = temporaryFolder({ "muster.db": words });
		const children = ["hst_a", "hst_b"].map((id) => {
			const child = fork(new URL("startTogether.ts", import.meta.url), [folder, id]);
			onTestFinished(() => void child.kill("SIGKILL"));
			return child;
		});
		await Promise.all(children.map((child) => once(child, "message")));
		const opened = children.map((child) => once(child, "message"));
		for (const child of children) child.send("open");
		const answers = (await Promise.all(opened)).map(([answer]) => answer as { warning: string | null });
		expect(answers.filter(({ warning }) => warning !== null)).toHaveLength(1);
		const reader = await open(folder);
		expect((await reader.call("listHosts")).map(({ id }) => id)).toEqual(["hst_a", "hst_b", "hst_new"]);
		expect(damagedIn(folder).filter((file) => file.endsWith(".db"))).toHaveLength(1);
	});
});
