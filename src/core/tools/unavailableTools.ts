import type { BuiltinToolName } from "./toolNames.ts";

const noSearch =
	"web_search is not available here: it is there once a person has chosen a search service in the setting muster.webSearch.backend, for agents whose tools name it. Say in your report what is left to look up and where.";

const noLanguages =
	"is not available here: it needs the language services of VS Code, for agents whose tools name it, and on the command line there are none. Use grep and read_file instead.";

/** Why each tool that is not there everywhere may be missing, and what to do instead. */
const explanations: ReadonlyMap<string, string> = new Map(
	Object.entries({
		web_search: noSearch,
		diagnostics: `diagnostics ${noLanguages}`,
		symbols: `symbols ${noLanguages}`,
	} satisfies Partial<Record<BuiltinToolName, string>>),
);

/** The tools that are there only where something else is. */
export const unavailableToolNames: readonly string[] = [...explanations.keys()];

/** For the model: why the tool is not there, and what to do instead. `undefined` when it is always there. */
export function explainUnavailableTool(name: string): string | undefined {
	return explanations.get(name);
}
