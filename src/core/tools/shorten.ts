/** At most `maxLength` characters, with a mark where the rest was. Does not leave half of a character behind. */
export function shorten(text: string, maxLength: number): string {
	if (text.length <= maxLength) return text;
	return `${text.slice(0, maxLength - 1).replace(/\p{Cs}$/u, "")}…`;
}
