import { isAbsolute, relative, sep } from "node:path";

/** Whether `path` is `root` or below it. Both are real paths: no links, no `..`. */
export function isInside(root: string, path: string): boolean {
	const way = relative(foldPath(root), foldPath(path));
	return way === "" || (way !== ".." && !way.startsWith(`..${sep}`) && !isAbsolute(way));
}

/** One spelling of a name, where file systems take several for the same file. */
export function foldPath(path: string): string {
	const hasManySpellings = process.platform === "darwin" || process.platform === "win32";
	return hasManySpellings ? path.normalize("NFC").toLowerCase() : path;
}
