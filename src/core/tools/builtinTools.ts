import { attachFile } from "./builtin/attachFile.ts";
import { shellKill, shellStart, shellStatus } from "./builtin/backgroundShell.ts";
import { editFile } from "./builtin/editFile.ts";
import { createGlob } from "./builtin/glob.ts";
import { createGrep } from "./builtin/grep.ts";
import { listDir } from "./builtin/listDir.ts";
import { readFile } from "./builtin/readFile.ts";
import { shell } from "./builtin/shell.ts";
import { createSkillTool } from "./builtin/skill.ts";
import { todo } from "./builtin/todo.ts";
import { writeFile } from "./builtin/writeFile.ts";
import { RunSkills } from "../skills/runSkills.ts";
import type { Tool } from "./tool.ts";
import { canonicalToolName } from "./toolNames.ts";

export interface BuiltinToolsOptions {
	/** Where the ripgrep program is; `undefined` when there is none. */
	readonly ripgrepPath: string | undefined;
	/** The run's; without them there are none. */
	readonly skills?: RunSkills;
}

/** The work tools of this version. `unavailableTools.ts` has those that it only knows by name. */
export function createBuiltinTools({ ripgrepPath, skills = noSkills() }: BuiltinToolsOptions): readonly Tool[] {
	return [
		readFile,
		writeFile,
		editFile,
		listDir,
		createGlob(ripgrepPath),
		createGrep(ripgrepPath),
		shell,
		shellStart,
		shellStatus,
		shellKill,
		attachFile,
		todo,
		createSkillTool(skills),
	];
}

function noSkills(): RunSkills {
	return new RunSkills([], {
		places: { roots: [], homeDir: "/", dataDir: "/" },
		canonicalName: canonicalToolName,
		isWithheld: () => Promise.resolve(true),
	});
}
