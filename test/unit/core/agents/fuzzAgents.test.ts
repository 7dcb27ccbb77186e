import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";

const program = fileURLToPath(new URL("fuzzAgents.ts", import.meta.url));

describe("reading agent files that are broken at random", () => {
	it.each([1, 2])(
		"neither crashes nor hangs nor grows, and has an agent or a reason for each (seed %d)",
		async (seed) => {
			const { stdout } = await promisify(execFile)(
				process.execPath,
				["--max-old-space-size=96", program, String(seed), "4000"],
				{ timeout: 60_000 },
			);
			const { runs, loaded, slowestMs, silent, hasRun, isPolluted } = JSON.parse(stdout);
			expect({ runs, silent, hasRun, isPolluted }).toEqual({
				runs: 4_000,
				silent: [],
				hasRun: false,
				isPolluted: false,
			});
			expect(loaded).toBeGreaterThan(100);
			expect(slowestMs).toBeLessThan(1_000);
		},
		90_000,
	);
});
