import { spawn, type ChildProcess } from "node:child_process";
import path from "node:path";
import { onTestFinished } from "vitest";
import { projectRoot } from "../../vscode/paths.ts";
import type { VscodeServer } from "../../vscode/server.ts";

export interface TerminalCall {
	readonly process: ChildProcess;
	/** -1 as code: a signal ended it. */
	readonly ended: Promise<{ readonly code: number; readonly out: string; readonly err: string }>;
}

/** Calls the built `muster` as in a terminal of the folder: on the same home and store as the windows of that VS Code. */
export function callMuster(server: VscodeServer, folder: string, script: string, ...words: string[]): TerminalCall {
	const child = spawn(process.execPath, [path.join(projectRoot, "dist/cli.js"), ...words, "--home", server.home], {
		cwd: folder,
		env: { ...process.env, HOME: server.home, MUSTER_DEMO_SCRIPT: script },
		stdio: ["ignore", "pipe", "pipe"],
	});
	onTestFinished(() => void child.kill("SIGKILL"));
	let out = "";
	let err = "";
	child.stdout.setEncoding("utf8").on("data", (text: string) => (out += text));
	child.stderr.setEncoding("utf8").on("data", (text: string) => (err += text));
	const ended = new Promise<{ code: number; out: string; err: string }>((resolve) => {
		child.once("close", (code) => resolve({ code: code ?? -1, out, err }));
	});
	return { process: child, ended };
}
