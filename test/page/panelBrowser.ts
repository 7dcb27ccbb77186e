import { chromium, type Page } from "playwright-core";
import type { HostToPanel } from "../../src/protocol/panel.ts";
import { startPanelServer } from "./panelServer.ts";
import { type Theme, themes, themeSheet } from "./themes.ts";

declare global {
	interface Window {
		/** What the fake host saw and what went wrong, kept by the page itself. */
		panelTest: {
			sent: unknown[];
			state: unknown;
			readonly violations: string[];
			readonly intervals: Set<number>;
		};
		acquireVsCodeApi(): unknown;
	}
}

export interface PanelPageOptions {
	readonly theme?: Theme;
	readonly width?: number;
	readonly height?: number;
	/** What an earlier page left behind. */
	readonly state?: unknown;
}

/** The panel in a browser tab, with a fake host behind it. */
export class PanelPage {
	readonly page: Page;
	readonly #problems: string[] = [];

	constructor(page: Page) {
		this.page = page;
		page.on("pageerror", (error) => this.#problems.push(String(error)));
		page.on("console", (message) => this.#problems.push(message.text()));
	}

	/** Resolves when the page has taken the message and drawn what follows: it draws before the next listener hears. */
	async send(message: HostToPanel): Promise<void> {
		await this.page.evaluate(
			(data) =>
				new Promise<void>((resolve) => {
					addEventListener("message", () => resolve(), { once: true });
					postMessage(data, "*");
				}),
			message,
		);
	}

	sent(): Promise<unknown[]> {
		return this.page.evaluate(() => window.panelTest.sent);
	}

	/** Everything sent since the last call. */
	takeSent(): Promise<unknown[]> {
		return this.page.evaluate(() => window.panelTest.sent.splice(0));
	}

	async problems(): Promise<string[]> {
		return [...this.#problems, ...(await this.page.evaluate(() => window.panelTest.violations))];
	}

	focusedRunId(): Promise<string | null> {
		return this.page.evaluate(() => document.activeElement?.getAttribute("data-run") ?? null);
	}

	elementCount(): Promise<number> {
		return this.page.evaluate(() => document.querySelectorAll("*").length);
	}
}

export interface PanelBrowser extends AsyncDisposable {
	/** A new page; the one before is closed. */
	open(options?: PanelPageOptions): Promise<PanelPage>;
}

export async function startPanelBrowser(): Promise<PanelBrowser> {
	const server = await startPanelServer();
	const browser = await chromium.launch({
		executablePath: process.env["CHROMIUM"] ?? "/usr/bin/chromium",
		args: [
			"--no-sandbox",
			"--disable-gpu",
			"--disable-quic",
			"--no-first-run",
			"--disable-background-networking",
			"--disable-component-update",
			"--disable-sync",
		],
	});
	let last: Page | undefined;
	return {
		async open({ theme = themes.dark, width = 1400, height = 800, state = null } = {}) {
			await last?.close();
			const page = await browser.newPage({ viewport: { width, height } });
			last = page;
			await page.addInitScript(fakeHost, { sheet: themeSheet(theme), classes: [...theme.classes], state });
			const panel = new PanelPage(page);
			await page.goto(server.url);
			return panel;
		},
		async [Symbol.asyncDispose]() {
			await browser.close();
			await server[Symbol.asyncDispose]();
		},
	};
}

/** Runs in the page before anything else: VS Code's side of a webview. */
function fakeHost({ sheet, classes, state }: { sheet: string; classes: string[]; state: unknown }): void {
	window.panelTest = { sent: [], state, violations: [], intervals: new Set() };
	const defaults = new CSSStyleSheet();
	defaults.replaceSync(sheet);
	document.adoptedStyleSheets = [defaults];
	document.addEventListener("DOMContentLoaded", () => document.body.classList.add(...classes));
	document.addEventListener("securitypolicyviolation", (event) =>
		window.panelTest.violations.push(`${event.violatedDirective}: ${event.blockedURI} ${event.sample}`),
	);
	const start = window.setInterval.bind(window);
	const end = window.clearInterval.bind(window);
	window.setInterval = ((run: () => void, delayMs: number) => {
		const timer = start(run, delayMs);
		window.panelTest.intervals.add(timer);
		return timer;
	}) as typeof window.setInterval;
	window.clearInterval = (timer) => {
		window.panelTest.intervals.delete(Number(timer));
		end(timer);
	};
	window.acquireVsCodeApi = () => ({
		postMessage: (message: unknown) => window.panelTest.sent.push(structuredClone(message)),
		getState: () => window.panelTest.state,
		setState: (next: unknown) => (window.panelTest.state = structuredClone(next)),
	});
}
