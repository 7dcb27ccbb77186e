import { spawnSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { cacheDir, projectRoot } from "./paths.ts";
import { runCommand } from "./runCommand.ts";

const names = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "microsoft-edge"];
const macApps = ["Chromium", "Google Chrome", "Microsoft Edge"];
const playwrightCli = path.join(projectRoot, "node_modules/playwright-core/cli.js");
const playwrightEnv = { ...process.env, PLAYWRIGHT_BROWSERS_PATH: path.join(cacheDir, "browsers") };

/** The path of a Chromium that starts: the one in `CHROMIUM`, else one of this machine, else one in `.cache`. */
export function findChromium(): string | undefined {
	const { CHROMIUM: chosen } = process.env;
	if (chosen) {
		if (isUsable(chosen)) return chosen;
		throw new Error(`CHROMIUM is set to ${chosen}, which does not start (\`${chosen} --version\` fails).`);
	}
	return candidates().find(isUsable);
}

/**
 * Finds a Chromium or gets one: Debian's own package where we may install it, else playwright's download into `.cache`.
 * Throws an error that says what to install when neither works.
 */
export async function installChromium(): Promise<string> {
	const found = findChromium();
	if (found) return found;

	const failures: string[] = [];
	for (const [isPossible, install] of [
		[isRootOnDebian, installDebianPackage],
		[() => true, installPlaywrightBuild],
	] as const) {
		if (!isPossible()) continue;
		try {
			await install();
			const installed = findChromium();
			if (installed) return installed;
			failures.push("It was installed, but does not start.");
		} catch (error) {
			failures.push(error instanceof Error ? error.message : String(error));
		}
	}
	throw new Error(
		`${failures.join("\n")}\n` +
			"The tests in a real browser need Chromium, Chrome or Edge, and there is none on this machine.\n" +
			"Install one (on Debian: apt-get install chromium), or set CHROMIUM to the path of its program.",
	);
}

function candidates(): string[] {
	const folders = (process.env["PATH"] ?? "").split(path.delimiter).filter(Boolean);
	const onPath = names.flatMap((name) => folders.map((folder) => path.join(folder, name)));
	const onMac = macApps.map((app) => `/Applications/${app}.app/Contents/MacOS/${app}`);
	return [...onPath, ...onMac, ...playwrightBuild()].filter((file) => fs.existsSync(file));
}

/** A wrapper may be there without its browser (Ubuntu's `chromium-browser` without the snap): only starting it tells. */
function isUsable(file: string): boolean {
	return spawnSync(file, ["--version"], { timeout: 20_000, stdio: "ignore" }).status === 0;
}

/** Playwright reads its environment when it is loaded, so another process has to ask it. */
function playwrightBuild(): string[] {
	if (!fs.existsSync(playwrightEnv.PLAYWRIGHT_BROWSERS_PATH)) return [];
	const script = 'process.stdout.write(require("playwright-core").chromium.executablePath())';
	const options = { cwd: projectRoot, env: playwrightEnv, encoding: "utf8" } as const;
	return [spawnSync(process.execPath, ["-e", script], options).stdout];
}

function isRootOnDebian(): boolean {
	if (process.getuid?.() !== 0 || !fs.existsSync("/etc/os-release")) return false;
	return /^ID="?debian"?$/m.test(fs.readFileSync("/etc/os-release", "utf8"));
}

async function installDebianPackage(): Promise<void> {
	const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
	await runCommand("Reading Debian's package list", "apt-get", ["update", "-qq"], { env });
	const args = ["install", "-y", "-qq", "--no-install-recommends", "chromium"];
	await runCommand("Installing Debian's chromium", "apt-get", args, { env });
}

async function installPlaywrightBuild(): Promise<void> {
	const args = [playwrightCli, "install", "--no-shell", "chromium"];
	await runCommand("Downloading playwright's Chromium", process.execPath, args, { env: playwrightEnv });
}
