import fs from "node:fs";
import path from "node:path";
import type { Browser, BrowserContext, Page, ViewportSize } from "playwright-core";
import { afterAll, afterEach, beforeAll, expect, onTestFinished } from "vitest";
import { cacheDir, vsixFile } from "../../vscode/paths.ts";
import { type ServerOptions, type UrlOptions, VscodeServer } from "../../vscode/server.ts";
import { until } from "../../vscode/until.ts";
import { launchBrowser } from "./browser.ts";
import { testSettings } from "./testSettings.ts";
import { Witness } from "./witness.ts";
import { Workbench } from "./workbench.ts";

/** As the server's; `extensions` is our packaged one unless given. */
export interface VSCodeOptions extends ServerOptions {
	/** Entries of VS Code's application storage, there before it starts. */
	storage?: Readonly<Record<string, string>>;
	viewport?: ViewportSize;
}

/**
 * A real VS Code with a window, in a browser context of its own: nothing is shared with another one. Whoever starts it
 * by `VSCode.start` stops it; `startVSCode` and `shareVSCode` do that for tests.
 */
export class VSCode {
	readonly witness = new Witness();
	readonly #options: VSCodeOptions;
	readonly #browser: Browser;
	readonly #context: BrowserContext;
	#server: VscodeServer;
	#workbench: Workbench | undefined;

	private constructor(options: VSCodeOptions, browser: Browser, context: BrowserContext, server: VscodeServer) {
		this.#options = options;
		this.#browser = browser;
		this.#context = context;
		this.#server = server;
	}

	static async start(given: VSCodeOptions = {}): Promise<VSCode> {
		const options = {
			extensions: [vsixFile],
			...given,
			settings: { ...testSettings, ...given.settings },
			// A busy page that is closed may not get to say goodbye: its host then ends after five seconds, not three hours.
			extraArgs: ["--reconnection-grace-time=5", ...(given.extraArgs ?? [])],
		};
		const [server, browser] = await Promise.all([VscodeServer.start(options), launchBrowser()]);
		const context = await browser.newContext({ viewport: options.viewport ?? { width: 1400, height: 900 } });
		const vscode = new VSCode(options, browser, context, server);
		try {
			await vscode.witness.watch(context);
			await vscode.#seedStorage();
			vscode.#workbench = await vscode.openWindow();
			return vscode;
		} catch (error) {
			await vscode.keepEvidence();
			await vscode.stop();
			throw error;
		}
	}

	get server(): VscodeServer {
		return this.#server;
	}

	/** The first window. */
	get workbench(): Workbench {
		if (!this.#workbench) throw new Error("This VS Code has no window: it did not start, or it is between two lives.");
		return this.#workbench;
	}

	/** Opens a further window: a second extension host on the same server. */
	async openWindow(options: UrlOptions = {}): Promise<Workbench> {
		return Workbench.open(await this.#context.newPage(), this.#server.url(options));
	}

	/** Closes a window as a user does and waits until its extension host has ended, `deactivate` included. */
	async closeWindow(workbench: Workbench): Promise<void> {
		const hosts = this.#server.extensionHosts().length;
		await workbench.page.close();
		await until("an extension host to end", () => this.#server.extensionHosts().length < hosts || hosts === 0);
	}

	/**
	 * Ends VS Code and starts it again on the same profile, so that what is stored is found again. `crash` gives nobody
	 * the time to say goodbye; else the windows are closed first.
	 */
	async restart(end: "orderly" | "crash" = "orderly", change: Partial<ServerOptions> = {}): Promise<void> {
		if (end === "crash") await this.#server.kill();
		for (const page of this.#context.pages()) await page.close();
		if (end === "orderly") {
			await until("the extension hosts to end", () => this.#server.extensionHosts().length === 0);
			await this.#server.stop();
		}
		const { root, port } = this.#server;
		this.#workbench = undefined;
		this.#server = await VscodeServer.start({ ...this.#options, root, port, ...change });
		this.#workbench = await this.openWindow();
	}

	/** Saves pictures, console and logs for whoever has to understand a failure, and prints where. */
	async keepEvidence(): Promise<void> {
		const folder = evidenceFolder();
		fs.rmSync(folder, { recursive: true, force: true });
		fs.mkdirSync(folder, { recursive: true });
		for (const [index, page] of this.#context.pages().entries()) {
			await savePicture(page, path.join(folder, `window${index + 1}.png`));
		}
		fs.writeFileSync(path.join(folder, "console.txt"), this.witness.console.join("\n"));
		fs.cpSync(this.#server.logFile, path.join(folder, "server.log"));
		if (fs.existsSync(this.#server.logsDir))
			fs.cpSync(this.#server.logsDir, path.join(folder, "logs"), { recursive: true });
		console.error(`What VS Code showed and logged is in ${path.relative(process.cwd(), folder)}`);
	}

	/** Ends the browser and the server, and removes the profile unless it was given. */
	async stop(): Promise<void> {
		await this.#browser.close();
		await this.#server.stop();
		if (this.#options.root === undefined) fs.rmSync(this.#server.root, { recursive: true, force: true });
	}

	async #seedStorage(): Promise<void> {
		const { storage } = this.#options;
		if (!storage) return;
		const page = await this.#context.newPage();
		// same origin as the workbench, which must not read its storage before
		await page.goto(new URL("/version", this.#server.url()).toString());
		await page.evaluate(putIntoStorage, Object.entries(storage));
		await page.close();
	}
}

/** Starts a VS Code for the running test, which ends with it. A failed test leaves its evidence in `.cache/e2e`. */
export async function startVSCode(options: VSCodeOptions = {}): Promise<VSCode> {
	const vscode = await VSCode.start(options);
	onTestFinished(async ({ task }) => {
		try {
			if (task.result?.state === "fail") await vscode.keepEvidence();
		} finally {
			await vscode.stop();
		}
		vscode.witness.assertInnocent();
	});
	return vscode;
}

/**
 * One VS Code for all tests of a file or `describe`, which build on each other or leave no traces. The answer gives it,
 * inside tests. The evidence of failed tests is kept as by `startVSCode`.
 */
export function shareVSCode(options: VSCodeOptions = {}): () => VSCode {
	let shared: VSCode | undefined;
	beforeAll(async () => {
		shared = await VSCode.start(options);
	});
	afterEach(async ({ task }) => {
		if (task.result?.state === "fail") await shared?.keepEvidence();
	});
	afterAll(async () => {
		await shared?.stop();
		shared?.witness.assertInnocent();
	});
	return () => {
		if (!shared) throw new Error("VS Code is there only while tests run.");
		return shared;
	};
}

function evidenceFolder(): string {
	const { currentTestName, testPath } = expect.getState();
	const name = currentTestName ?? path.basename(testPath ?? "start", ".test.ts");
	return path.join(cacheDir, "e2e", name.replace(/[^A-Za-z0-9]+/g, "-").slice(0, 100));
}

async function savePicture(page: Page, file: string): Promise<void> {
	try {
		await page.screenshot({ path: file, timeout: 10_000 });
	} catch (error) {
		fs.writeFileSync(`${file}.txt`, `no picture: ${error instanceof Error ? error.message : String(error)}`);
	}
}

/** Runs in the page: on the web, VS Code's application storage is an IndexedDB. */
function putIntoStorage(entries: [key: string, value: string][]): Promise<void> {
	return new Promise((resolve, reject) => {
		const open = indexedDB.open("vscode-web-state-db-global");
		open.addEventListener("upgradeneeded", () => open.result.createObjectStore("ItemTable"));
		open.addEventListener("error", () => reject(open.error));
		open.addEventListener("success", () => {
			const transaction = open.result.transaction("ItemTable", "readwrite");
			for (const [key, value] of entries) transaction.objectStore("ItemTable").put(value, key);
			transaction.addEventListener("error", () => reject(transaction.error));
			transaction.addEventListener("complete", () => {
				open.result.close();
				resolve();
			});
		});
	});
}
