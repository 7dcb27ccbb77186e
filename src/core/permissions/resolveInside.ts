import { resolve } from "node:path";
import { messageOf } from "../base/errors.ts";
import { findPathSyntaxProblem } from "./findPathSyntaxProblem.ts";
import { followLinks } from "./followLinks.ts";
import { isInside } from "../base/isInside.ts";

export type ResolvedPath =
	/** `path` is real and inside `root`, and the only spelling that may be used from here on. It need not exist. */
	| { readonly ok: true; readonly path: string; readonly root: string }
	/** `reason` is written for the model. */
	| { readonly ok: false; readonly reason: string };

/**
 * Finds where a path from a model really leads, and whether that is inside one of the workspace folders.
 * Never rejects: what it cannot judge is not inside.
 *
 * `roots` are real paths; a relative path starts at the first of them. Between this answer and the use of the path
 * another process can still swap a folder for a link; whoever opens the path checks again (`openRegularFile`).
 */
export async function resolveInside(path: string, roots: readonly string[]): Promise<ResolvedPath> {
	const [firstRoot] = roots;
	if (firstRoot === undefined) return { ok: false, reason: noFolderOpen };
	const syntaxProblem = findPathSyntaxProblem(path);
	if (syntaxProblem !== undefined) return refuse(path, syntaxProblem);
	try {
		const followed = await followLinks(resolve(firstRoot, path));
		if (!followed.ok) return refuse(path, followed.problem);
		const root = roots.find((candidate) => isInside(candidate, followed.path));
		if (root === undefined) return refuse(path, "leads outside the workspace");
		return { ok: true, path: followed.path, root };
	} catch (error) {
		return refuse(path, `cannot be looked up (${messageOf(error)})`);
	}
}

const noFolderOpen =
	"No folder is open in this window, so there are no files to read. Answer from the task alone, or ask the user to open a folder.";

function refuse(path: string, problem: string): ResolvedPath {
	const shown = JSON.stringify(path.length > 200 ? `${path.slice(0, 200)}…` : path);
	return {
		ok: false,
		reason: `The path ${shown} ${problem}. Use a path inside the workspace, relative to its folder, such as "src/main.ts".`,
	};
}
