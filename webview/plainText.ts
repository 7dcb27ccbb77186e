/** Line breaks, control characters, and the marks that turn text around: they could make a row read as something else. */
const unprintable = /[\p{Cc}\u2028\u2029\u202A-\u202E\u2066-\u2069]+/gu;

/**
 * Text from a model, a tool or a repository as one harmless line of at most `limit` characters.
 * Cuts first, so that a line of five megabytes costs no more than a short one.
 */
export function plainText(text: string, limit: number): string {
	const line = text.slice(0, limit).toWellFormed().replace(unprintable, " ").trim();
	return text.length > limit ? `${line.replace(/\uFFFD$/, "")}…` : line;
}
