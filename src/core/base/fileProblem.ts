import type { Problem } from "./errors.ts";
import type { Fix, TextRange } from "./textEdit.ts";

/** What there is to say about one file that people write, and where. Without a line it concerns the whole file. */
export interface FileProblem extends Problem, Partial<TextRange> {
	readonly severity: "error" | "warning" | "information";
	/** Absolute path. */
	readonly file: string;
	readonly fixes?: readonly Fix[];
}
