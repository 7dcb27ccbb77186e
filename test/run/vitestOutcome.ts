import fs from "node:fs";
import path from "node:path";
import * as z from "zod";
import { projectRoot } from "../vscode/paths.ts";
import type { Outcome } from "./outcome.ts";

const Report = z.object({
	testResults: z.array(
		z.object({
			name: z.string(),
			status: z.string(),
			message: z.string(),
			assertionResults: z.array(z.object({ fullName: z.string(), status: z.string() })),
		}),
	),
});

/**
 * Reads what vitest's JSON reporter wrote. Whatever went wrong counts: also a file that could not be loaded, a failed
 * hook, an error outside all tests, and a report that is missing.
 */
export function vitestOutcome(stage: string, reportFile: string, exitCode: number): Outcome {
	if (!fs.existsSync(reportFile)) {
		return { passed: 0, failed: [`${stage}: vitest exited with ${exitCode} and left no report`], skipped: [] };
	}
	const { testResults } = Report.parse(JSON.parse(fs.readFileSync(reportFile, "utf8")));
	const failed: string[] = [];
	const skipped: string[] = [];
	let passed = 0;
	for (const { name, status, message, assertionResults } of testResults) {
		const file = path.relative(projectRoot, name);
		const failedBefore = failed.length;
		for (const test of assertionResults) {
			if (test.status === "passed") passed++;
			else if (test.status === "failed") failed.push(`${file}: ${test.fullName}`);
			else skipped.push(`${file}: ${test.fullName}`);
		}
		if (status === "failed" && failed.length === failedBefore) {
			failed.push(`${file}: ${message.split("\n")[0] || "outside its tests"}`);
		}
	}
	if (exitCode !== 0 && failed.length === 0) {
		failed.push(testResults.length === 0 ? `${stage}: there are no tests` : `${stage}: vitest exited with ${exitCode}`);
	}
	return { passed, failed, skipped };
}
