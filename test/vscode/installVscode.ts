import * as esbuild from "esbuild";
import { createHash } from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { cacheDir } from "./paths.ts";
import { runCommand } from "./runCommand.ts";

const here = fileURLToPath(new URL(".", import.meta.url));
const installDir = path.join(cacheDir, "vscode");
const stampName = "installed";
/** To be raised with each change of the steps below: installs made before it are then made anew. */
const recipe = 1;

/** The root of VS Code's server inside the installed code-server package. */
export const vscodeDir = path.join(installDir, "node_modules/code-server/lib/vscode");

/**
 * Puts the VS Code that package-lock.json names (as code-server, which is VS Code's server for a browser) into `.cache`,
 * once per version. No install script of any package runs, so neither a compiler nor the Node that they insist on is
 * needed. Needs npm and its registry; throws an error that says so.
 */
export async function installVscode(): Promise<void> {
	const stamp = describeInstall();
	if (installedStamp() === stamp) return;

	console.log("Installing VS Code into .cache/vscode: once, about 650 MB, mostly within a minute.");
	const incoming = `${installDir}-incoming-${process.pid}`;
	removeAbandonedInstalls();
	try {
		fs.mkdirSync(incoming, { recursive: true });
		for (const name of ["package.json", "package-lock.json"]) fs.copyFileSync(here + name, path.join(incoming, name));
		await npm("Fetching code-server", incoming, "ci");
		const server = path.join(incoming, path.relative(installDir, vscodeDir));
		// Not `npm ci`: the lock that is shipped in there is not complete.
		await npm("Fetching VS Code's own packages", server, "install", "--omit=dev", "--no-save");
		await npm("Fetching VS Code's TypeScript", path.join(server, "extensions"), "install", "--omit=dev", "--no-save");
		replaceNativeLogger(server);
		fs.writeFileSync(path.join(incoming, stampName), stamp);
		fs.rmSync(installDir, { recursive: true, force: true });
		fs.renameSync(incoming, installDir);
	} catch (cause) {
		fs.rmSync(incoming, { recursive: true, force: true });
		if (installedStamp() === stamp) return; // another process was faster
		const reason = cause instanceof Error ? cause.message : String(cause);
		throw new Error(
			`VS Code could not be installed into ${installDir}.\n${reason}\n` +
				"This needs npm's registry (`npm ping` tells whether it answers) and about 650 MB of disk.",
			{ cause },
		);
	}
}

/** What installs left that were interrupted: half of it is 300 MB. */
function removeAbandonedInstalls(): void {
	if (!fs.existsSync(cacheDir)) return;
	for (const name of fs.readdirSync(cacheDir)) {
		const pid = Number(/^vscode-incoming-(\d+)$/.exec(name)?.[1]);
		if (pid && !isAlive(pid)) fs.rmSync(path.join(cacheDir, name), { recursive: true, force: true });
	}
}

function isAlive(pid: number): boolean {
	try {
		return process.kill(pid, 0);
	} catch (error) {
		return error instanceof Error && "code" in error && error.code === "EPERM";
	}
}

function installedStamp(): string | undefined {
	const file = path.join(installDir, stampName);
	return fs.existsSync(file) ? fs.readFileSync(file, "utf8") : undefined;
}

/** Changes with whatever makes an earlier install useless. */
function describeInstall(): string {
	const hash = createHash("sha256").update(String(recipe));
	for (const name of ["package-lock.json", "spdlog.ts"]) hash.update(fs.readFileSync(here + name));
	return `${process.platform}-${process.arch} ${hash.digest("hex")}\n`;
}

/** Runs the npm that runs us, else the one on the PATH. */
function npm(title: string, cwd: string, ...args: string[]): Promise<void> {
	const { npm_execpath: running } = process.env;
	const [command, ...first] = running?.endsWith(".js") ? [process.execPath, running] : ["npm"];
	const env = { ...process.env, npm_config_audit: "false", npm_config_fund: "false", npm_config_loglevel: "error" };
	return runCommand(title, command, [...first, ...args, "--ignore-scripts"], { cwd, env });
}

function replaceNativeLogger(server: string): void {
	esbuild.buildSync({
		entryPoints: [path.join(here, "spdlog.ts")],
		outfile: path.join(server, "node_modules/@vscode/spdlog/index.js"),
		allowOverwrite: true,
		bundle: true,
		format: "cjs",
		platform: "node",
		target: "node22",
	});
}
