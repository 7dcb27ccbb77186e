import { closeSync, constants, fstatSync, openSync, readFileSync, realpathSync, type Stats } from "node:fs";
import { messageOf } from "../base/errors.ts";
import { isInside } from "../base/isInside.ts";
import type { TextProblem } from "./agentProblem.ts";
import { largestSourceBytes } from "./decodeSource.ts";

export type SourceFile = { readonly bytes: Uint8Array; readonly status: Stats } | { readonly problem: TextProblem };

/**
 * The bytes of a regular file whose real path lies in `realRoot`, with the status of just these bytes, or why there are
 * none. A link that leaves the root, a loop of links, a device, a pipe or a folder is never read, nor is a large file.
 *
 * Synchronous, since a thousand small files take a tenth of the time so. Whoever reads many pauses between them.
 */
export function readSourceFile(file: string, realRoot: string): SourceFile {
	let handle: number | undefined;
	try {
		const realFile = realpathSync.native(file);
		if (!isInside(realRoot, realFile)) {
			return refuse("agent.outside", `It links to ${realFile}, outside of ${realRoot}. Copy the file instead.`);
		}
		// Not blocking, so that a pipe nobody writes to can't hold us up; not following, should a link have come between.
		handle = openSync(realFile, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW);
		const status = fstatSync(handle);
		if (!status.isFile()) return refuse("agent.notRegular", "It is not a regular file. Only regular files are read.");
		if (status.size > largestSourceBytes) {
			const message = `It has ${status.size} bytes; at most ${largestSourceBytes / 1024} KB are read. Make it shorter.`;
			return refuse("agent.tooLarge", message);
		}
		return { bytes: readFileSync(handle), status };
	} catch (error) {
		return refuse("agent.unreadable", `It can't be read: ${messageOf(error)}. Check the file and its permissions.`);
	} finally {
		if (handle !== undefined) closeSync(handle);
	}
}

function refuse(code: string, message: string): SourceFile {
	return { problem: { severity: "error", code, message } };
}
