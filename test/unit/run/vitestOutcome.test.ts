import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { vitestOutcome } from "../../run/vitestOutcome.ts";
import { projectRoot } from "../../vscode/paths.ts";

let folder: string;
beforeAll(() => {
	folder = fs.mkdtempSync(path.join(os.tmpdir(), "muster-report-"));
});
afterAll(() => fs.rmSync(folder, { recursive: true, force: true }));

function aReport(name: string, status: string, tests: Readonly<Record<string, string>>, message = ""): string {
	const file = path.join(folder, `${name}.json`);
	const assertionResults = Object.entries(tests).map(([fullName, its]) => ({ fullName, status: its }));
	const testResults = [{ name: path.join(projectRoot, "test/some.test.ts"), status, message, assertionResults }];
	fs.writeFileSync(file, JSON.stringify({ testResults }));
	return file;
}

describe("vitestOutcome", () => {
	it("counts what passed, and names what failed or did not run with its file", () => {
		const report = aReport("mixed", "failed", { one: "passed", two: "failed", three: "skipped", four: "todo" });
		expect(vitestOutcome("unit", report, 1)).toEqual({
			passed: 1,
			failed: ["test/some.test.ts: two"],
			skipped: ["test/some.test.ts: three", "test/some.test.ts: four"],
		});
	});

	it("counts a file that failed outside its tests as one failure", () => {
		const report = aReport("hook", "failed", { one: "skipped" });
		expect(vitestOutcome("unit", report, 1).failed).toEqual(["test/some.test.ts: outside its tests"]);
	});

	it("counts a file that could not be loaded as one failure, and says why", () => {
		const report = aReport("load", "failed", {}, "Cannot find module\nat some place");
		expect(vitestOutcome("unit", report, 1).failed).toEqual(["test/some.test.ts: Cannot find module"]);
	});

	it("counts an error that belongs to no test as one failure", () => {
		const report = aReport("stray", "passed", { one: "passed" });
		expect(vitestOutcome("unit", report, 1)).toEqual({
			passed: 1,
			failed: ["unit: vitest exited with 1"],
			skipped: [],
		});
	});

	it("counts a report that was never written as one failure", () => {
		expect(vitestOutcome("unit", path.join(folder, "none.json"), 137).failed).toEqual([
			"unit: vitest exited with 137 and left no report",
		]);
	});
});
