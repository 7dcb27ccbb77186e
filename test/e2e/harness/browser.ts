import { type Browser, chromium } from "playwright-core";
import { findChromium } from "../../vscode/findChromium.ts";

/** A headless Chromium that neither updates itself nor reports anything, and sends what is not local to the proxy of
 * the run, where it has one (see test/run/isolation.ts). */
export async function launchBrowser(): Promise<Browser> {
	const executablePath = findChromium();
	if (!executablePath) throw new Error("There is no Chromium on this machine. `npm test` installs one.");
	const { MUSTER_TEST_PROXY: proxy } = process.env;
	return chromium.launch({
		executablePath,
		...(proxy && { proxy: { server: proxy } }),
		args: [
			"--no-sandbox", // Chromium refuses to be root's otherwise, and the run's network namespace makes us that
			"--disable-background-networking",
			"--disable-component-update",
			"--disable-dev-shm-usage",
			"--disable-gpu",
			"--disable-quic",
			"--disable-sync",
			"--no-first-run",
		],
	});
}
