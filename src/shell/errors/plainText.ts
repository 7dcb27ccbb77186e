/**
 * Makes text from a model, a tool or a file safe for a notification: VS Code turns `[label](command:…)` there into links
 * that run commands, and invisible characters can hide what a sentence says.
 */
export function plainText(text: string): string {
	return text
		.replaceAll(/[\p{Cc}\p{Cf}\u2028\u2029]+/gu, " ")
		.replaceAll("](", "] (")
		.trim();
}
