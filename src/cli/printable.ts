/**
 * The words of models, tools and repositories as a terminal may show them: what would move the cursor, recolour or hide
 * text is named instead.
 */
export function printable(text: string): string {
	return text.replaceAll(/(?![\n\t])[\p{Cc}\u202A-\u202E\u2066-\u2069]/gu, (character) => {
		const code = character.codePointAt(0) ?? 0;
		return `⟨U+${code.toString(16).toUpperCase().padStart(4, "0")}⟩`;
	});
}
