import { execFile } from "node:child_process";

export interface ProgramResult {
	readonly code: number;
	readonly out: string;
	readonly err: string;
}

/** Runs a Node program as a user does, in a process of its own, and tells how it ended. */
export function runProgram(file: string, args: readonly string[], cwd: string): Promise<ProgramResult> {
	return new Promise((resolve) => {
		const child = execFile(process.execPath, [file, ...args], { cwd }, (_, out, err) =>
			resolve({ code: child.exitCode ?? -1, out, err }),
		);
	});
}
