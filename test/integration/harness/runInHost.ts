import fs from "node:fs";
import path from "node:path";
import { launchBrowser } from "../../e2e/harness/browser.ts";
import { type ServerOptions, VscodeServer } from "../../vscode/server.ts";
import { until } from "../../vscode/until.ts";
import { type InHostResult, resultsVariable } from "./inHostTests.ts";

const runTimeoutMs = 300_000;

/**
 * Starts VS Code with the extension in `extension` under development and lets its host run a bundle of tests, without a
 * user interface to speak of: toasts are suppressed. Returns the results there are; a host that crashes gives fewer.
 * The results and VS Code's logs are left beside the bundle.
 */
export async function runInHost(file: string, extension: string, options: ServerOptions = {}): Promise<InHostResult[]> {
	const results = path.join(path.dirname(file), "results.jsonl");
	fs.rmSync(results, { force: true });
	const server = await VscodeServer.start({
		...options,
		env: { ...options.env, [resultsVariable]: results },
		extraArgs: [...(options.extraArgs ?? []), "--enable-smoke-test-driver"],
	});
	try {
		await runInWindow(server.url({ extensionDevelopmentPath: extension, extensionTestsPath: file }));
	} finally {
		await server.stop();
		const logs = path.join(path.dirname(file), "logs");
		fs.rmSync(logs, { recursive: true, force: true });
		fs.cpSync(server.logsDir, logs, { recursive: true });
		fs.cpSync(server.logFile, path.join(logs, "server.log"));
		if (options.root === undefined) fs.rmSync(server.root, { recursive: true, force: true });
	}
	return fs.existsSync(results) ? readLines(results) : [];
}

/** Resolves when the window says that its tests have run; how they ended is in the results. */
async function runInWindow(url: string): Promise<void> {
	const browser = await launchBrowser();
	try {
		const page = await browser.newPage();
		let hasEnded = false;
		await page.exposeFunction("codeAutomationLog", () => undefined);
		await page.exposeFunction("codeAutomationExit", () => {
			hasEnded = true;
		});
		await page.goto(url, { timeout: 60_000 });
		await until("the tests in the extension host", () => hasEnded, runTimeoutMs);
	} finally {
		await browser.close();
	}
}

function readLines(file: string): InHostResult[] {
	const lines = fs.readFileSync(file, "utf8").split("\n").filter(Boolean);
	return lines.map((line): InHostResult => JSON.parse(line));
}
