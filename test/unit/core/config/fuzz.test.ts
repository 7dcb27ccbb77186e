import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, it } from "vitest";

const run = promisify(execFile);

it(
	"reads any bytes as configuration without a crash, a hang or much memory, and keeps no secret",
	{ timeout: 60_000 },
	async () => {
		const script = join(import.meta.dirname, "fuzzConfigFiles.ts");
		const seed = Date.now() % 1_000_000;
		const { stdout } = await run(process.execPath, ["--max-old-space-size=96", script, "800", String(seed)], {
			timeout: 55_000,
		});
		const { loaded, slowestMs, isPolluted } = JSON.parse(stdout) as Record<string, unknown>;
		expect(loaded).toBeGreaterThan(0);
		expect(slowestMs).toBeLessThan(5_000);
		expect(isPolluted).toBe(false);
	},
);
