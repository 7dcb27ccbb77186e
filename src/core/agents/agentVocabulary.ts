/** The tools that exist, with their aliases. */
export interface KnownTools {
	readonly toolNames: readonly string[];
	isKnownTool(name: string): boolean;
	/** What is wrong with an entry such as `shell(git *)`. */
	findPatternProblem(entry: string): string | undefined;
}

/** The names of things outside that an agent file may mention. A new object for every change: results are kept by it. */
export interface AgentVocabulary extends KnownTools {
	/** Whether `provider/model` can be used here; without it, models are not looked at. */
	readonly isKnownModel?: (reference: string) => boolean;
}
