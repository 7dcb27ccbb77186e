/** The plan as it is kept: the final message without the line that sums it up. */
export function planTextOf(answer: string): string {
	const lines = answer.split("\n").filter((line) => !/^\s*SUMMARY:/u.test(line));
	return `${lines
		.join("\n")
		.replaceAll(/\n{3,}/gu, "\n\n")
		.trim()}\n`;
}
