import { constants, type FileHandle, lstat, open, realpath } from "node:fs/promises";
import { messageOf } from "./errors.ts";
import { isInside } from "./isInside.ts";

/** The most that is read of a file which people write by hand. */
export const largestTextBytes = 1_048_576;

/** Why a file was not read. Only `missing` is no fault: there is nothing of that name, not even a link. */
export type FileRefusal = "missing" | "outside" | "notRegular" | "tooLarge" | "unreadable";

export type RegularFile =
	| { readonly bytes: Uint8Array }
	/** The message continues a sentence about the file, and says what to do. */
	| { readonly refusal: FileRefusal; readonly message: string };

/**
 * The bytes of a regular file whose real path lies in `realRoot`, or why there are none. A link that leaves the root, a
 * loop of links, a device, a pipe or a folder is never read, and a large file is not read either.
 */
export async function readRegularFile(file: string, realRoot: string): Promise<RegularFile> {
	let handle: FileHandle | undefined;
	try {
		const realFile = await realpath(file);
		if (!isInside(realRoot, realFile)) {
			return refuse("outside", `It links to ${realFile}, outside of ${realRoot}. Copy the file instead.`);
		}
		// Not blocking, so that a pipe nobody writes to can't hold us up; not following, should a link have come between.
		handle = await open(realFile, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW);
		const status = await handle.stat();
		if (!status.isFile()) return refuse("notRegular", "It is not a regular file. Only regular files are read.");
		if (status.size > largestTextBytes) {
			return refuse("tooLarge", `It has ${status.size} bytes; at most 1 MB is read. Make it shorter.`);
		}
		return { bytes: await handle.readFile() };
	} catch (error) {
		if (await isNothingThere(file)) return refuse("missing", "It is not there.");
		return refuse("unreadable", `It can't be read: ${messageOf(error)}. Check the file and its permissions.`);
	} finally {
		await handle?.close();
	}
}

/** A link to nowhere is something: its author meant a file. */
async function isNothingThere(file: string): Promise<boolean> {
	try {
		await lstat(file);
		return false;
	} catch (error) {
		return error instanceof Error && "code" in error && (error.code === "ENOENT" || error.code === "ENOTDIR");
	}
}

function refuse(refusal: FileRefusal, message: string): RegularFile {
	return { refusal, message };
}
