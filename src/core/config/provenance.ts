import type { ConfigLayer, ConfigProblem } from "./configProblem.ts";
import { type Path, positionAt } from "./positionTree.ts";
import type { ParsedConfig } from "./readConfigTables.ts";

/** Where a value is written. What is built in is written nowhere. */
export interface Source {
	readonly layer: ConfigLayer | "builtIn";
	/** Absolute path. */
	readonly file?: string;
	readonly line?: number;
	readonly column?: number;
}

export interface Provenance extends Source {
	/** What would hold if this were not there, the highest first. */
	readonly shadows: readonly Source[];
	/** Why this one holds. */
	readonly reason: string;
	/** What other layers changed in it, by field. */
	readonly changes?: Readonly<Record<string, Provenance>>;
}

export interface Resolved<Value> {
	readonly value: Value;
	readonly provenance: Provenance;
}

/** Something that was found and is not used, and why. */
export interface Skipped {
	readonly name: string;
	readonly source: Source;
	readonly reason: string;
}

export const builtIn: Source = { layer: "builtIn" };

/** How people call a layer. */
export const layerNames: Readonly<Record<Source["layer"], string>> = {
	builtIn: "built in",
	home: "home",
	workspace: "the agent's workspace",
	role: "the role pack",
	repo: "the repo",
	settings: "your settings",
	call: "the call",
};

export function sourceOf({ origin, positions }: ParsedConfig, path: Path): Source {
	const at = positionAt(positions, path);
	return { layer: origin.layer, file: origin.file, ...(at && { line: at.line, column: at.column }) };
}

/** A value that lies over another, or over none. */
export function layOver<Value>(value: Value, source: Source, below?: Resolved<unknown>): Resolved<Value> {
	const shadows = below === undefined ? [] : [toSource(below.provenance), ...below.provenance.shadows];
	return { value, provenance: { ...source, shadows, reason: explainOrder(shadows[0]) } };
}

function explainOrder(below: Source | undefined): string {
	if (below === undefined) return "nothing else says it";
	return below.layer === "builtIn" ? "instead of the default" : `above ${layerNames[below.layer]}`;
}

function toSource(provenance: Provenance): Source {
	const { layer, file } = provenance;
	return file === undefined ? { layer } : { layer, ...placeOf(provenance) };
}

/** Where a problem of a value is. */
export function placeOf({ file = "", line, column }: Source): Pick<ConfigProblem, "file" | "line" | "column"> {
	return { file, ...(line !== undefined && { line }), ...(column !== undefined && { column }) };
}

/** A value that its layer may not set. The rest of the file is used. */
export function refuseValue(part: ParsedConfig, path: Path, message: string): ConfigProblem {
	const at = positionAt(part.positions, path);
	return { severity: "error", code: "config.notAllowedHere", message, file: part.origin.file, ...at };
}
