/** Control, bidirectional and invisible characters by their names; tabs and line ends stay. */
export function showExactly(text: string): string {
	return text.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\p{Co}]/gu, (character) => {
		if (character === "\n" || character === "\t") return character;
		return `⟨U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}⟩`;
	});
}

/** The same on one line, as long as a row or a notification can show. */
export function showOnOneLine(text: string, most = 120): string {
	const line = showExactly(text.replaceAll(/[ \t]*\n[ \t]*/gu, " ⏎ "));
	const characters = [...new Intl.Segmenter().segment(line)];
	return characters.length <= most
		? line
		: `${characters
				.slice(0, most - 1)
				.map(({ segment }) => segment)
				.join("")}…`;
}
