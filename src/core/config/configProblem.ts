import type { FileProblem } from "../base/fileProblem.ts";
import type { TextRange } from "../base/textEdit.ts";
import { type Path, positionAt, type PositionTree } from "./positionTree.ts";

/** Where a value may come from, as people name it; `call` is a file that a single call names. */
export type ConfigLayer = "home" | "workspace" | "role" | "repo" | "settings" | "call";

/** Where in the editor a setting is set; the higher, the later. */
export type SettingsLevel = "user" | "workspace" | "folder";

export interface ConfigOrigin {
	readonly layer: ConfigLayer;
	/** Absolute path; of settings, what people call them. */
	readonly file: string;
	/** Which of the editor's settings it is, where it is no file that we read. */
	readonly settings?: SettingsLevel;
	/**
	 * Whether the repository decides what the file says, so that its servers need consent. True for the repo layer and for
	 * a file that a call names, whatever is written here; for others where the loader finds them inside the repository.
	 */
	readonly isFromRepo?: boolean;
}

/** What there is to say about a configuration. What an error names is not used; the rest is. */
export type ConfigProblem = FileProblem;

/** A problem with the part of a value that it is about. */
export interface PartProblem extends Omit<ConfigProblem, "file" | keyof TextRange> {
	readonly path: Path;
}

export function isFromRepo(origin: ConfigOrigin): boolean {
	return origin.isFromRepo === true || origin.layer === "repo" || origin.layer === "call";
}

export function locateProblem({ path, ...problem }: PartProblem, file: string, positions: PositionTree): ConfigProblem {
	return { ...problem, file, ...positionAt(positions, path) };
}
