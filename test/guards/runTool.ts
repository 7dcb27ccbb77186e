import { execFile } from "node:child_process";
import { realpathSync } from "node:fs";
import path from "node:path";
import { projectRoot } from "../vscode/paths.ts";

/**
 * Runs a tool of the project with this Node and gives what it printed. A linter that found something exits with an error
 * too, so only a tool that failed without a word rejects.
 */
export function runTool(tool: string, args: readonly string[], cwd: string): Promise<string> {
	const script = realpathSync(path.join(projectRoot, "node_modules", ".bin", tool));
	return runScript(script, args, cwd);
}

export function runScript(script: string, args: readonly string[], cwd: string): Promise<string> {
	return new Promise((resolve, reject) => {
		execFile(process.execPath, [script, ...args], { cwd, maxBuffer: 64_000_000 }, (error, stdout) => {
			if (error && stdout === "") reject(error);
			else resolve(stdout);
		});
	});
}
