import { describe, expect, it } from "vitest";
import { isBusy, storeProblem } from "../../../../src/core/store/sqliteErrors.ts";

describe("storeProblem", () => {
	it.each([
		["SQLITE_FULL", { errcode: 13 }, "The disk is full"],
		["an extended I/O error", { errcode: 10 | (3 << 8) }, "The disk reported a fault"],
		["SQLITE_CANTOPEN", { errcode: 14 }, "cannot be written"],
		["SQLITE_NOTADB", { errcode: 26 }, "is damaged"],
		["SQLITE_BUSY", { errcode: 5 }, "in use by another process"],
		["a read-only file system", { code: "EROFS" }, "choose another with the setting muster.dataDir"],
		["a full disk before SQLite was asked", { code: "ENOSPC" }, "The disk is full"],
		["anything else", { code: "ELOOP" }, "could not read or write its database"],
	])("explains %s, and names the file and the reason", (_, fields, explanation) => {
		const { message } = storeProblem("/data/store", Object.assign(new Error("because"), fields));
		expect(message).toContain(explanation);
		expect(message).toContain("(/data/store: because)");
	});

	it("knows a lock that is taken from other failures", () => {
		expect(isBusy(Object.assign(new Error("locked"), { errcode: 5 }))).toBe(true);
		expect(isBusy(new Error("locked"))).toBe(false);
	});
});
