import type { ModelError } from "../modelPort.ts";
import { isLoopback } from "./connections.ts";
import type { Dialect } from "./dialect.ts";
import type { HttpCall } from "./httpExchange.ts";
import { checkKey } from "./secretText.ts";

/** Where a provider listens and what opens it. The key goes to the origin of `baseUrl` and nowhere else. */
export interface Endpoint {
	readonly label: string;
	readonly baseUrl: string;
	readonly headers: Readonly<Record<string, string>>;
	/** Headers whose values are secrets, whatever their names. */
	readonly secretHeaders?: Readonly<Record<string, string>>;
	/** Asked before every request, so that a removed key is gone at once. */
	apiKey(): Promise<string | undefined>;
}

export interface Wanted {
	readonly method: "GET" | "POST";
	/** Below the base URL. */
	readonly path: string;
	readonly query?: Readonly<Record<string, string>>;
	readonly body?: string;
}

type Prepared = { readonly call: HttpCall; readonly secrets: readonly string[] } | { readonly error: ModelError };

export function addressOf({ baseUrl, label }: Endpoint): { readonly url: URL } | { readonly error: ModelError } {
	const url = URL.canParse(baseUrl) ? new URL(baseUrl) : undefined;
	if (!url || !/^https?:$/u.test(url.protocol) || url.username !== "" || url.password !== "") {
		const message = `The base URL of ${label} must be http(s)://host/path, without a user name or a password in it.`;
		return { error: { kind: "bad-request", message, retryable: false } };
	}
	return { url };
}

/** The request with its key, or why it must not be sent. Never rejects. */
export async function prepareCall(
	endpoint: Endpoint,
	dialect: Pick<Dialect, "headers">,
	{ query = {}, ...wanted }: Wanted,
): Promise<Prepared> {
	const address = addressOf(endpoint);
	if ("error" in address) return address;
	const refuse = (message: string): Prepared => ({ error: { kind: "auth", message, retryable: false } });
	const { label } = endpoint;
	let raw: string | undefined;
	try {
		raw = await endpoint.apiKey();
	} catch {
		// Its words may hold the secret.
		return refuse(`The key of ${label} could not be read from where it is kept.`);
	}
	const checked = checkKey(raw);
	if (!checked.ok) return refuse(`The key of ${label} has characters that no key has. Enter it again.`);
	const { key } = checked;
	const { url } = address;
	const secretOwn = lowerCase(endpoint.secretHeaders ?? {});
	const own = [...lowerCase(endpoint.headers), ...secretOwn];
	const isSecret =
		key !== undefined || secretOwn.length > 0 || own.some(([name]) => /authorization|key|token|cookie/u.test(name));
	if (isSecret && url.protocol !== "https:" && !isLoopback(url)) {
		return refuse(`The key of ${label} is not sent to ${url.origin}, because http:// is not encrypted. Use https://.`);
	}
	url.pathname = `${url.pathname.replace(/\/+$/u, "")}${wanted.path}`;
	for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
	return {
		call: { ...wanted, url, headers: { ...common(wanted), ...dialect.headers(key), ...Object.fromEntries(own) } },
		secrets: [...(key === undefined ? [] : [key]), ...secretsOf(own), ...secretOwn.map(([, value]) => value)],
	};
}

function lowerCase(headers: Readonly<Record<string, string>>): (readonly [string, string])[] {
	return Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value] as const);
}

function common({ body }: Wanted): Record<string, string> {
	return {
		accept: body === undefined ? "application/json" : "text/event-stream, application/json",
		"user-agent": "muster",
		...(body !== undefined && { "content-type": "application/json" }),
	};
}

/** A header's value as it is, and without its scheme: servers echo `Bearer x` as `x`. */
function secretsOf(headers: readonly (readonly [string, string])[]): string[] {
	return headers
		.filter(([name]) => /authorization|key|token|cookie|secret/u.test(name))
		.flatMap(([, value]) => [value, value.replace(/^\S+\s+/u, "")]);
}
