import { isAbsolute, relative, resolve, win32 } from "node:path";
import { isInside } from "../base/isInside.ts";
import { followLinks } from "./followLinks.ts";
import { isDeniedPath, isProtectedPath, isSecretFile } from "./protectedPaths.ts";

export interface Places {
	/** Real paths; commands run in the first. */
	readonly roots: readonly string[];
	readonly homeDir: string;
	readonly dataDir: string;
}

/**
 * What a word of a command reaches that `*` in a rule is not meant to give, as the rest of a sentence about the
 * command, or `undefined`. Looks at the disk too, since a link may lead anywhere.
 */
export async function findUnsafeWord(words: readonly string[], places: Places): Promise<string | undefined> {
	for (const word of words) {
		for (const piece of pathsIn(word)) {
			const problem = findSpellingProblem(piece) ?? (await findTargetProblem(piece, places));
			if (problem !== undefined) return `has ${JSON.stringify(word)}, which ${problem}`;
		}
	}
	return undefined;
}

/** What in a word a program may take for a path: the word, the value of an option, and what follows a separator. */
function pathsIn(word: string): string[] {
	const value = /^-[^-](.+)$/s.exec(word)?.[1];
	const pieces = [word, ...(value === undefined ? [] : [value]), ...afterEach(word)];
	return pieces.filter((piece) => piece !== "" && piece !== "-");
}

function afterEach(word: string): string[] {
	return [...word.matchAll(/[=:,@]/g)].map(({ index }) => word.slice(index + 1));
}

function findSpellingProblem(piece: string): string | undefined {
	if (isAbsolute(piece) || win32.isAbsolute(piece) || piece.startsWith("~")) return "is an absolute path";
	if (piece.split(/[\\/]/).includes("..")) return "leads upwards";
	if (isSecretFile(piece)) return "names a secret file";
	return isProtectedPath(piece) ? "names a protected path" : undefined;
}

async function findTargetProblem(piece: string, places: Places): Promise<string | undefined> {
	const [cwd] = places.roots;
	if (cwd === undefined) return "has no folder to start from";
	try {
		const followed = await followLinks(resolve(cwd, piece));
		if (!followed.ok) return followed.problem;
		if (isDeniedPath(followed.path, places.homeDir, places.dataDir)) return "leads to a denied path";
		const root = places.roots.find((candidate) => isInside(candidate, followed.path));
		if (root === undefined) return "leads outside the workspace";
		return findSpellingProblem(relative(root, followed.path) || ".");
	} catch {
		return "cannot be looked up";
	}
}
