import fs from "node:fs";
import { type InHostResult, type InHostTests, resultsVariable } from "./inHostTests.ts";

const timeoutMs = 30_000;

/**
 * Runs all tests inside the extension host and writes each result at once, so that those before a crash are known.
 * Rejects when one has failed, which VS Code turns into its exit code.
 */
export async function runTests(modules: Readonly<Record<string, InHostTests>>): Promise<void> {
	const file = process.env[resultsVariable];
	if (!file) throw new Error(`${resultsVariable} is not set in the extension host.`);
	let failed = 0;
	for (const [module, tests] of Object.entries(modules)) {
		for (const [name, test] of Object.entries(tests)) {
			const startedAt = Date.now();
			const failure = await failureOf(test);
			const result: InHostResult = { module, name, durationMs: Date.now() - startedAt, ...(failure && { failure }) };
			fs.appendFileSync(file, `${JSON.stringify(result)}\n`);
			if (failure) failed++;
		}
	}
	if (failed > 0) throw new Error(`${failed} tests have failed in the extension host.`);
}

async function failureOf(test: () => Promise<void>): Promise<string | undefined> {
	let timer: NodeJS.Timeout | undefined;
	const late = new Promise<never>((_resolve, reject) => {
		timer = setTimeout(() => reject(new Error(`It did not end within ${timeoutMs / 1000} s.`)), timeoutMs);
	});
	try {
		await Promise.race([test(), late]);
		return undefined;
	} catch (error) {
		return error instanceof Error ? (error.stack ?? error.message) : String(error);
	} finally {
		clearTimeout(timer);
	}
}
