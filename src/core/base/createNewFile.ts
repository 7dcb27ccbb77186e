import { mkdir, realpath, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { isInside } from "./isInside.ts";

/**
 * Writes a file below a real path, with its folders. Never overwrites, and never leaves the root, not even through a link.
 * False when there is such a file already.
 */
export async function createNewFile(root: string, path: string, contents: string): Promise<boolean> {
	const steps = path.split("/");
	const name = steps.pop() ?? "";
	let folder = root;
	for (const step of steps) {
		folder = join(folder, step);
		await unlessThere(mkdir(folder));
		folder = await realpath(folder);
		if (!isInside(root, folder)) throw new Error(`${path} would be in ${folder}, outside of the folder`);
	}
	return unlessThere(writeFile(join(folder, name), contents, { flag: "wx" }));
}

async function unlessThere(creation: Promise<void>): Promise<boolean> {
	try {
		await creation;
		return true;
	} catch (error) {
		if (error instanceof Error && "code" in error && error.code === "EEXIST") return false;
		throw error;
	}
}
