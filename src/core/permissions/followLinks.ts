import { lstat, readlink, realpath } from "node:fs/promises";
import { isAbsolute, join, parse, sep } from "node:path";

/** As many as the kernel follows before it says ELOOP. */
const maxLinks = 40;

const separators = sep === "\\" ? /[\\/]/ : "/";

export type FollowedPath =
	| { readonly ok: true; readonly path: string }
	/** `problem` is the rest of a sentence about the path. */
	| { readonly ok: false; readonly problem: string };

/**
 * The real path of an absolute path that need not exist: every link on the way is followed, also one whose target is
 * missing, because a write through it would create that target.
 *
 * Walks name by name as the kernel does, so that `..` in a link's target means the parent of the real folder.
 * Rejects when a folder on the way cannot be looked at.
 */
export async function followLinks(absolute: string): Promise<FollowedPath> {
	let { root: existing } = parse(absolute);
	const names = absolute.slice(existing.length).split(separators);
	let links = 0;
	for (let name = names.shift(); name !== undefined; name = names.shift()) {
		const next = join(existing, name);
		const kind = await kindOf(next);
		if (kind === "missing") {
			// Joining would cancel the missing name against the "..", and what follows would go unchecked.
			if (names.includes("..")) return { ok: false, problem: "leads through a link to nowhere" };
			return { ok: true, path: join(await realpath(existing), name, ...names) };
		}
		if (kind === "entry") {
			existing = next;
			continue;
		}
		const target = await readlink(next);
		if (++links > maxLinks) return { ok: false, problem: "leads through a loop of links" };
		if (/^[\\/]{2}/.test(target)) return { ok: false, problem: "leads to a network or device path" };
		const { root } = parse(target);
		if (isAbsolute(target)) existing = root;
		names.unshift(...target.slice(root.length).split(separators));
	}
	return { ok: true, path: await realpath(existing) };
}

async function kindOf(path: string): Promise<"missing" | "link" | "entry"> {
	try {
		return (await lstat(path)).isSymbolicLink() ? "link" : "entry";
	} catch (error) {
		if (error instanceof Error && "code" in error && (error.code === "ENOENT" || error.code === "ENOTDIR")) {
			return "missing";
		}
		throw error;
	}
}
