/** A SKILL.md that loads without a word, in a folder of that name. */
export function skillText(name: string, frontmatter = "", body = "# Steps\n\n1. Do it.\n"): string {
	return `---\nname: ${name}\ndescription: Does ${name}. Use when asked.\n${frontmatter && `${frontmatter}\n`}---\n\n${body}`;
}
