import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import { describe, expect, it } from "vitest";
import { CommandLine } from "../../fakes/commandLine.ts";

describe("a command on a store that is not as it should be", { timeout: 30_000 }, () => {
	it("works on an empty one in place of a damaged one, and says once where that is now", async () => {
		const line = new CommandLine();
		mkdirSync(path.dirname(line.databaseFile), { recursive: true });
		writeFileSync(line.databaseFile, "no database at all\n".repeat(100));
		const { code, out, err } = await line.call("run", "scout", "Count");
		expect({ code, isTold: out.includes("completed successfully") }).toEqual({ code: 0, isTold: true });
		expect(err).toMatch(/muster: Muster's database was damaged\. It was set aside as \S+muster\.damaged-\S+\.db/);
		expect((await line.call("list")).err).toBe("");
	});

	it("refuses to run on that of a newer Muster, and says what to do", async () => {
		const line = new CommandLine();
		await line.call("run", "scout", "Count");
		const database = new DatabaseSync(line.databaseFile);
		database.exec("PRAGMA user_version = 999");
		database.close();
		const { code, err } = await line.call("run", "scout", "Count");
		expect(code).not.toBe(0);
		expect(err).toContain("A newer version of Muster has written this workspace's runs. Update Muster");
		expect((await line.call("list")).out).toContain("Count");
	});
});
