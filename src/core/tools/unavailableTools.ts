import type { BuiltinToolName } from "./toolNames.ts";

const nameSource = "Say in your report what is left to look up and where.";
const readSource = "Use grep and read_file instead.";

/** What to do without each tool that this version knows and does not have. */
const alternatives: ReadonlyMap<string, string> = new Map(
	Object.entries({
		web_fetch: nameSource,
		web_search: nameSource,
		diagnostics: readSource,
		symbols: readSource,
	} satisfies Partial<Record<BuiltinToolName, string>>),
);

/** Names that agents know from elsewhere or from the documentation, and that this version does not have. */
export const unavailableToolNames: readonly string[] = [...alternatives.keys()];

/** For the model: that the tool is not there yet, and what to do instead. `undefined` when it is not one of these. */
export function explainUnavailableTool(name: string): string | undefined {
	const alternative = alternatives.get(name);
	return alternative && `${name} is not available yet: it comes in a later version. ${alternative}`;
}
