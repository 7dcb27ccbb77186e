/** The tool that an entry of a list is about: `shell` of `shell(git *)`. */
export function nameOfEntry(entry: string): string {
	return entry.replace(/\(.*$/su, "").trim();
}

export function hasPattern(entry: string): boolean {
	return entry.includes("(");
}
