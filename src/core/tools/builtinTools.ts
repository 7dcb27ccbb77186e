import { createGrep } from "./builtin/grep.ts";
import { listDir } from "./builtin/listDir.ts";
import { readFile } from "./builtin/readFile.ts";
import type { Tool } from "./tool.ts";

export interface BuiltinToolsOptions {
	/** Where the ripgrep program is; `undefined` when there is none. */
	readonly ripgrepPath: string | undefined;
}

/** The work tools of this version. `unavailableTools.ts` has those that it only knows by name. */
export function createBuiltinTools({ ripgrepPath }: BuiltinToolsOptions): readonly Tool[] {
	return [readFile, listDir, createGrep(ripgrepPath)];
}
