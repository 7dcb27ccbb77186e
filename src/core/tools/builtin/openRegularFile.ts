import { constants } from "node:fs";
import { lstat, open, readlink, realpath, type FileHandle } from "node:fs/promises";
import { explainFileProblem } from "./explainFileProblem.ts";

export type OpenedFile =
	/** The caller closes the handle. */
	| { readonly ok: true; readonly handle: FileHandle }
	/** The rest of a sentence about the file. */
	| { readonly ok: false; readonly problem: string };

/** Windows has neither flag, and there they count as 0: it has no such links and pipes in folders either. */
const readWithoutSurprise = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;

/**
 * Opens a real path for reading, and makes sure that the file is regular and is the one that the path names: a pipe
 * does not hang it, and a folder that was swapped for a link after the gate's check is noticed.
 */
export async function openRegularFile(path: string): Promise<OpenedFile> {
	let handle: FileHandle;
	try {
		handle = await open(path, readWithoutSurprise);
	} catch (error) {
		return { ok: false, problem: explainFileProblem(error) };
	}
	try {
		const problem = await findProblem(path, handle);
		if (problem === undefined) return { ok: true, handle };
		await handle.close();
		return { ok: false, problem };
	} catch (error) {
		await handle.close();
		return { ok: false, problem: explainFileProblem(error) };
	}
}

async function findProblem(path: string, handle: FileHandle): Promise<string | undefined> {
	const opened = await handle.stat({ bigint: true });
	if (opened.isDirectory()) return "is a folder. Use list_dir to see what is in it.";
	if (!opened.isFile()) return "is not a regular file (it is a pipe, a socket or a device), so it cannot be read.";
	// Linux says where a descriptor leads, whatever is swapped meanwhile.
	const link = process.platform === "linux" ? await readlink(`/proc/self/fd/${handle.fd}`) : path;
	if (link !== path) return "changed while it was being opened. Try again.";
	const named = await lstat(path, { bigint: true });
	const isSame = named.ino === opened.ino && named.dev === opened.dev && (await realpath(path)) === path;
	return isSame ? undefined : "changed while it was being opened. Try again.";
}
