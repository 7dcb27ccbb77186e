/** Shorter values would blacken ordinary words. */
const shortestSecret = 6;
const mask = "[secret]";

export type CheckedKey = { readonly ok: true; readonly key: string | undefined } | { readonly ok: false };

/** A key as it may stand in a header. A pasted newline or a curly quote would make Node print the whole header. */
export function checkKey(raw: string | undefined): CheckedKey {
	const key = raw?.trim();
	if (key === undefined || key === "") return { ok: true, key: undefined };
	return /^[\u0021-\u007e]+$/u.test(key) ? { ok: true, key } : { ok: false };
}

/** Takes the secrets out of a text that goes to a person, a log or the store: as they are and as servers echo them. */
export function redact(text: string, secrets: readonly string[]): string {
	return secrets
		.filter((secret) => secret.length >= shortestSecret)
		.flatMap((secret) => [
			secret,
			encodeURIComponent(secret),
			JSON.stringify(secret).slice(1, -1),
			Buffer.from(secret).toString("base64").replace(/=+$/u, ""),
		])
		.toSorted((a, b) => b.length - a.length)
		.reduce((rest, form) => rest.replaceAll(form, mask), text);
}
