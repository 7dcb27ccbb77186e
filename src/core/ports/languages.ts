/** From the gravest on. */
export const severities = ["error", "warning", "information", "hint"] as const;

export type Severity = (typeof severities)[number];

/** Where something stands: a real path, and line and column counted from one. */
export interface CodePlace {
	readonly path: string;
	readonly line: number;
	readonly column: number;
}

/** What a compiler, linter or language server has to say about a place. */
export interface CodeDiagnostic extends CodePlace {
	readonly severity: Severity;
	readonly message: string;
	/** Who says it, and under which number, e.g. `ts 2322`. */
	readonly source: string | undefined;
}

export interface CodeSymbol extends CodePlace {
	readonly name: string;
	/** Such as `class`. */
	readonly kind: string;
	/** What it is part of. */
	readonly container: string | undefined;
}

/** The language services of an editor. Without an editor there is no such port, and no tool that needs one. */
export interface LanguagesPort {
	/** All that is known now, of any file. */
	diagnostics(): readonly CodeDiagnostic[];
	/** What one file defines. */
	symbolsOf(path: string): Promise<readonly CodeSymbol[]>;
	/** What is called something like this, in any file. */
	findSymbols(query: string): Promise<readonly CodeSymbol[]>;
}
