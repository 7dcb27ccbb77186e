import { showOnOneLine } from "../../core/base/showExactly.ts";

/**
 * Makes text from a model, a tool or a file safe for a notification: VS Code turns `[label](command:…)` there into links
 * that run commands, and invisible characters can hide what a sentence says, so they are named. `most` characters of it.
 */
export function plainText(text: string, most = Infinity): string {
	return showOnOneLine(text.replaceAll(/\s+/gu, " ").trim(), most).replaceAll("](", "] (");
}

/** How much of a model's own words a notification has room for. */
export const notifiedCharacters = 120;
