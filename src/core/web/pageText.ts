import { decodeText } from "./decodeText.ts";
import { readHtml, type ReadablePage } from "./readHtml.ts";

/** What can't be seen, or changes the order in which text is seen. Joiners stay: some scripts need them. */
const hidden =
	/[^\P{Cc}\n\t\r]|[\u00AD\u200B\u200E\u200F\u202A-\u202E\u2060-\u206F\uFEFF\uFFF9-\uFFFB\u{E0000}-\u{E0FFF}]/gu;

/** The readable text of a body, or undefined when it is no text after all. */
export function pageText(body: Uint8Array, contentType: string, url: URL): ReadablePage | undefined {
	const text = decodeText(body, contentType);
	if (text.slice(0, 4_096).includes("\0")) return undefined;
	const page = isHtml(text, contentType)
		? readHtml(text, url)
		: { title: "", text: text.replaceAll("\r\n", "\n").trim() };
	return { title: page.title.replaceAll(hidden, ""), text: page.text.replaceAll(hidden, "") };
}

function isHtml(text: string, contentType: string): boolean {
	if (contentType.trim() !== "") return /^\s*(?:text\/html|application\/xhtml\+xml)\b/iu.test(contentType);
	return /^\s*<(?:!doctype\s+html|html|head|body)\b/iu.test(text.slice(0, 1_024));
}
