/** A JSON object whose fields are not checked yet. */
export type Json = Readonly<Record<string, unknown>>;

export function isJson(value: unknown): value is Json {
	return typeof value === "object" && value !== null && !Array.isArray(value);
}

export function jsonOf(value: unknown): Json {
	return isJson(value) ? value : {};
}

export function listOf(value: unknown): readonly Json[] {
	return Array.isArray(value) ? value.filter(isJson) : [];
}

/** The text, or an empty one. */
export function textOf(value: unknown): string {
	return typeof value === "string" ? value : "";
}

/** A count as providers give it; `undefined` for what cannot be one. */
export function countOf(value: unknown): number | undefined {
	return typeof value === "number" && Number.isFinite(value) && value >= 0 ? value : undefined;
}

/** Half a surrogate pair (a cut emoji) is no valid JSON for most servers. */
export function clean(text: string): string {
	return text.isWellFormed() ? text : text.toWellFormed();
}
