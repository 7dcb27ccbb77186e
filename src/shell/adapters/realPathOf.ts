import { realpathSync } from "node:fs";

/** The core knows files by their real paths, VS Code by the names under which they were opened. */
export function realPathOf(path: string): string {
	try {
		return realpathSync.native(path);
	} catch {
		// Gone from the disk, and still open under its name.
		return path;
	}
}
