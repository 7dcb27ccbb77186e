import { relative, sep } from "node:path";
import { isInside } from "../../base/isInside.ts";

/** A real path as models and people read it: from the workspace folder, with forward slashes; the folder itself is `.`. */
export function displayPath(root: string, path: string): string {
	if (!isInside(root, path)) return path.replaceAll(sep, "/");
	return relative(root, path).replaceAll(sep, "/") || ".";
}
