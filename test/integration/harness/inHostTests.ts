/**
 * What a module in test/integration/inhost exports as `tests`: sentences, and what proves them. They run in the
 * extension host, in this order, one at a time, and may import `vscode`; a throw is a failure. The top level of such a
 * module must not use `vscode`: it also runs outside, where only the names are wanted.
 */
export type InHostTests = Readonly<Record<string, () => Promise<void>>>;

/** How one test ended. The runner in the host writes it, one line each, and vitest's side reads it. */
export interface InHostResult {
	readonly module: string;
	readonly name: string;
	readonly durationMs: number;
	/** Absent when the test passed. */
	readonly failure?: string;
}

/** Names the file for the results, by an environment variable of the extension host. */
export const resultsVariable = "MUSTER_INHOST_RESULTS";
