import { fork } from "node:child_process";
import { once } from "node:events";
import path from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { Database } from "../../../../src/core/store/database.ts";
import { storeFolder } from "../../../../src/core/store/storeFolder.ts";
import { workerFile } from "../../../fakes/aRuntime.ts";
import { RecordingLogger } from "../../../fakes/recordingLogger.ts";
import { temporaryFolder } from "../../../fakes/temporaryFolder.ts";

async function open(folder: string): Promise<Database> {
	const database = await Database.open({ folder, host: null, workerFile, logger: new RecordingLogger() });
	onTestFinished(() => database.close());
	return database;
}

describe("Database", () => {
	it("lets one call fail without taking along those committed with it", async () => {
		const database = await open(temporaryFolder());
		const host = { pid: 1, kind: "window", at: 1 } as const;
		const results = await Promise.allSettled([
			database.call("registerHost", { ...host, hostId: "hst_1" }),
			database.call("registerHost", { ...host, hostId: "hst_1" }),
			database.call("registerHost", { ...host, hostId: "hst_2" }),
		]);
		expect(results.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
	});

	it("knows a host that lives from one that has gone", async () => {
		const folder = temporaryFolder();
		const reader = await open(folder);
		const identity = { hostId: "hst_1", pid: 1, kind: "window", at: 1 } as const;
		const host = await Database.open({ folder, host: identity, workerFile, logger: new RecordingLogger() });
		expect(await reader.isHostAlive("hst_1")).toBe(true);
		await host.close();
		expect(await reader.isHostAlive("hst_1")).toBe(false);
		expect(await reader.isHostAlive("hst_never")).toBe(false);
	});

	it("is begun by two processes at the same moment", { timeout: 60_000 }, async () => {
		const children = [1, 2].map(() => fork(new URL("openManyStores.ts", import.meta.url)));
		onTestFinished(() => children.forEach((child) => void child.kill("SIGKILL")));
		await Promise.all(children.map((child) => once(child, "message")));
		const answers = new Set<unknown>();
		// Before it was mended, one of a dozen was refused.
		for (let round = 0; round < 100; round++) {
			const folder = temporaryFolder();
			const opened = children.map((child) => once(child, "message"));
			for (const child of children) child.send(folder);
			for (const [answer] of await Promise.all(opened)) answers.add(answer);
		}
		expect([...answers]).toEqual(["opened"]);
	});

	it("tells when another connection has committed", async () => {
		const folder = temporaryFolder();
		const reader = await open(folder);
		const changed = new Promise<void>((resolve) => reader.onDidChangeElsewhere(resolve));
		const writer = await open(folder);
		await expect
			.poll(async () => {
				await writer.call("registerHost", { hostId: `hst_${Math.random()}`, pid: 1, kind: "cli", at: 1 });
				return Promise.race([changed.then(() => "told"), new Promise((resolve) => setTimeout(resolve, 50))]);
			})
			.toBe("told");
	});

	it("answers every call that comes after it was closed with the reason", async () => {
		const database = await Database.open({
			folder: temporaryFolder(),
			host: null,
			workerFile,
			logger: new RecordingLogger(),
		});
		await database.close();
		await expect(database.call("listHosts")).rejects.toThrow("has stopped");
	});
});

describe("storeFolder", () => {
	it("follows from the folder's real path, with a name that any file system takes", () => {
		const folder = temporaryFolder({ "my project ü/file": "" });
		expect(storeFolder("/data", path.join(folder, "my project ü"))).toMatch(
			/^\/data\/workspaces\/my_project__-[0-9a-f]{16}$/u,
		);
		expect(storeFolder("/data", null)).toBe("/data/workspaces/no-folder");
	});
});
