import { lstat } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { isInside } from "../base/isInside.ts";

/**
 * Whether a real path lies in a git directory that is not named `.git`: a bare repository, or what a `gitdir:` line
 * points at. Its configuration runs programs like any other's. A new `HEAD` may be the making of one.
 */
export async function isInsideGitDirectory(path: string, root: string): Promise<boolean> {
	if (basename(path) === "HEAD") return true;
	for (let folder = path; isInside(root, folder); folder = dirname(folder)) {
		const isGitDirectory =
			(await exists(join(folder, "HEAD"))) &&
			((await exists(join(folder, "objects"))) || (await exists(join(folder, "commondir"))));
		if (isGitDirectory) return true;
		if (folder === dirname(folder)) return false;
	}
	return false;
}

async function exists(path: string): Promise<boolean> {
	try {
		await lstat(path);
		return true;
	} catch {
		return false;
	}
}
