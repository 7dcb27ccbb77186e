import { attachFile } from "./builtin/attachFile.ts";
import { shellKill, shellStart, shellStatus } from "./builtin/backgroundShell.ts";
import { createDiagnostics } from "./builtin/diagnostics.ts";
import { editFile } from "./builtin/editFile.ts";
import { createGlob } from "./builtin/glob.ts";
import { createGrep } from "./builtin/grep.ts";
import { listDir } from "./builtin/listDir.ts";
import { readFile } from "./builtin/readFile.ts";
import { shell } from "./builtin/shell.ts";
import { createSkillTool } from "./builtin/skill.ts";
import { createSymbols } from "./builtin/symbols.ts";
import { todo } from "./builtin/todo.ts";
import { webFetch } from "./builtin/webFetch.ts";
import { createWebSearch } from "./builtin/webSearch.ts";
import { writeFile } from "./builtin/writeFile.ts";
import type { LanguagesPort } from "../ports/languages.ts";
import type { SearchService } from "../search/searchService.ts";
import { RunSkills } from "../skills/runSkills.ts";
import type { Tool } from "./tool.ts";
import { canonicalToolName } from "./toolNames.ts";

export interface BuiltinToolsOptions {
	/** Where the ripgrep program is; `undefined` when there is none. */
	readonly ripgrepPath: string | undefined;
	/** The run's; without them there are none. */
	readonly skills?: RunSkills;
	/** What is asked to search the web; without one there is no tool for it. */
	readonly search?: SearchService | undefined;
	/** The editor's language services; without an editor there are no tools for them. */
	readonly languages?: LanguagesPort | undefined;
}

/** The work tools that there are here. `unavailableTools.ts` says of the others what they need. */
export function createBuiltinTools({
	ripgrepPath,
	skills = noSkills(),
	search,
	languages,
}: BuiltinToolsOptions): readonly Tool[] {
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
		webFetch,
		...(search ? [createWebSearch(search)] : []),
		attachFile,
		...(languages ? [createDiagnostics(languages), createSymbols(languages)] : []),
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
