/** Text of others as a Markdown code span: on one line, of bounded length, and unable to end the span. */
export function code(text: string, maxLength = 100): string {
	return `\`${shorten(
		text
			.replaceAll(/[\p{Cc}\s]+/gu, " ")
			.replaceAll("`", "'")
			.trim(),
		maxLength,
	)}\``;
}

export function codes(texts: readonly string[], most = texts.length): string {
	return listOf(
		texts.map((text) => code(text)),
		most,
	);
}

/** `a, b and c`, or `a, b and 3 more`. */
export function listOf(items: readonly string[], most = items.length): string {
	const shown = items.slice(0, most);
	if (items.length > most) return `${shown.join(", ")} and ${items.length - most} more`;
	const last = shown.pop() ?? "";
	return shown.length === 0 ? last : `${shown.join(", ")} and ${last}`;
}

export function countOf(count: number, one: string, many = `${one}s`): string {
	return `${count} ${count === 1 ? one : many}`;
}

/** Cut between graphemes, so that no emoji falls apart. */
export function shorten(text: string, maxLength: number): string {
	if (text.length <= maxLength) return text;
	let kept = "";
	for (const { segment } of new Intl.Segmenter().segment(text.slice(0, maxLength))) {
		if (kept.length + segment.length >= maxLength) break;
		kept += segment;
	}
	return `${kept}…`;
}
