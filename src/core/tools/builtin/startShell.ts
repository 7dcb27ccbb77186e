import type { ProcessHandle } from "../../processes/processGroup.ts";
import type { ToolContext } from "../tool.ts";
import { OutputBuffer } from "./outputBuffer.ts";
import { readPaced } from "./readPaced.ts";

/** The system takes no longer argument than this, with the byte that ends it. */
export const maxCommandBytes = 131_071;

export interface RunningShell {
	readonly handle: ProcessHandle;
	readonly output: OutputBuffer;
	/** When nothing more will be read. */
	readonly isRead: Promise<void>;
}

export type StartedShell =
	| { readonly ok: true; readonly shell: RunningShell }
	/** For the model. */
	| { readonly ok: false; readonly problem: string };

/**
 * Lets a first bash join the two outputs, so that they stay in order, and become the one that gets the command, byte for
 * byte.
 */
const joinOutputs = 'exec -a bash "$BASH" --noprofile --norc -c "$1" 2>&1';

export async function startShell(command: string, context: ToolContext): Promise<StartedShell> {
	const { root, processes, env, runId, clock } = context;
	if (root === "") return { ok: false, problem: "No folder is open, so there is nowhere to run a command." };
	if (command.includes("\0")) return { ok: false, problem: "The command contains a NUL byte. Write it without." };
	const size = Buffer.byteLength(command);
	if (size > maxCommandBytes) {
		const problem = `The command has ${size} bytes; at most ${maxCommandBytes} can be run. Write it to a file with write_file, and run that.`;
		return { ok: false, problem };
	}
	try {
		const args = ["--noprofile", "--norc", "-c", joinOutputs, "bash", command];
		const handle = await processes.start("bash", args, { cwd: root, env, owner: runId });
		const output = new OutputBuffer();
		const isRead = readPaced([handle.stdout, handle.stderr], clock, (bytes) => output.push(bytes));
		return { ok: true, shell: { handle, output, isRead } };
	} catch (error) {
		if (!(error instanceof Error && "code" in error && error.code === "ENOENT")) throw error;
		return { ok: false, problem: "bash was not found, so commands cannot be run. Say in your report what to run." };
	}
}
