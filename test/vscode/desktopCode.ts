import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import fs from "node:fs";
import path from "node:path";
import { projectRoot } from "./paths.ts";
import { quietSettings } from "./quietSettings.ts";

/** The developer's own desktop VS Code, on a profile of ours: theirs is neither read nor changed. */
export class DesktopCode {
	readonly #userData: string;
	/** Resolves when the last window is closed. */
	readonly ended: Promise<unknown>;

	private constructor(userData: string, ended: Promise<unknown>) {
		this.#userData = userData;
		this.ended = ended;
	}

	/** Why the `code` on the PATH is of no use here, or `undefined` if it is. */
	static findObstacle(): string | undefined {
		if (!isOnPath()) return "there is no `code` on the PATH";
		if (process.env["VSCODE_IPC_HOOK_CLI"]) return "this terminal belongs to a remote VS Code";
		if (process.getuid?.() === 0) return "desktop VS Code does not run as root";
		const { DISPLAY, WAYLAND_DISPLAY } = process.env;
		if (process.platform === "linux" && !DISPLAY && !WAYLAND_DISPLAY) return "there is no display";
		const { status, stdout } = spawnSync("code", ["--version"], {
			encoding: "utf8",
			shell: isWindows,
			timeout: 20_000,
		});
		if (status !== 0) return "the `code` on the PATH does not start";
		const needed = /\d+\.\d+/.exec(readManifest().engines.vscode)?.[0] ?? "";
		const version = stdout.split("\n")[0] ?? "";
		const isOlder = version.localeCompare(needed, undefined, { numeric: true }) < 0;
		return isOlder ? `\`code\` is version ${version}, and the extension needs ${needed}` : undefined;
	}

	/** Opens a window on `folder` with the extension of this checkout under development. */
	static start(root: string, folder: string, settings: Readonly<Record<string, unknown>>): DesktopCode {
		const userData = path.join(root, "data");
		fs.mkdirSync(path.join(userData, "User"), { recursive: true });
		const trust = { "security.workspace.trust.enabled": false };
		const all = { ...quietSettings, ...trust, ...settings };
		fs.writeFileSync(path.join(userData, "User/settings.json"), JSON.stringify(all, undefined, "\t"));
		const args = [
			`--extensionDevelopmentPath=${projectRoot}`,
			`--user-data-dir=${userData}`,
			`--extensions-dir=${path.join(root, "extensions")}`,
			"--disable-workspace-trust",
			"--new-window",
			"--wait",
			folder,
		];
		return new DesktopCode(userData, once(spawn("code", args, { stdio: "ignore", shell: isWindows }), "exit"));
	}

	/** Ends VS Code. `code` itself only waits for it; the process that counts has left its id in the profile. */
	stop(): void {
		const lock = path.join(this.#userData, "code.lock");
		if (fs.existsSync(lock)) process.kill(Number(fs.readFileSync(lock, "utf8")), "SIGTERM");
	}
}

const isWindows = process.platform === "win32"; // there `code` is a script for the shell

function isOnPath(): boolean {
	const folders = (process.env["PATH"] ?? "").split(path.delimiter);
	return folders.some((folder) => fs.existsSync(path.join(folder, isWindows ? "code.cmd" : "code")));
}

function readManifest(): { engines: { vscode: string } } {
	return JSON.parse(fs.readFileSync(path.join(projectRoot, "package.json"), "utf8"));
}
