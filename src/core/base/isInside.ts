import { isAbsolute, relative, sep } from "node:path";

/** Whether `path` is `root` or below it. Both are real paths: no links, no `..`. */
export function isInside(root: string, path: string): boolean {
	const way = relative(fold(root), fold(path));
	return way === "" || (way !== ".." && !way.startsWith(`..${sep}`) && !isAbsolute(way));
}

/** These file systems take several spellings of a name for the same file. */
function fold(path: string): string {
	const hasManySpellings = process.platform === "darwin" || process.platform === "win32";
	return hasManySpellings ? path.normalize("NFC").toLowerCase() : path;
}
