import type { IncomingHttpHeaders } from "node:http";
import type { ModelError } from "../modelPort.ts";
import type { Dialect } from "./dialect.ts";
import { type Endpoint, prepareCall, type Wanted } from "./endpoint.ts";
import { readHttpFailure } from "./failure.ts";
import { HttpExchange } from "./httpExchange.ts";
import { redact } from "./secretText.ts";

const longestBody = 8 * 1024 * 1024;

export type Fetched =
	| { readonly ok: true; readonly value: unknown }
	| { readonly ok: false; readonly error: ModelError };

/** A small JSON document below the endpoint's base URL: by its path, or all that the request needs. Never rejects. */
export async function fetchJson(
	endpoint: Endpoint,
	dialect: Pick<Dialect, "headers">,
	wanted: string | Wanted,
	signal: AbortSignal,
): Promise<Fetched> {
	const prepared = await prepareCall(
		endpoint,
		dialect,
		typeof wanted === "string" ? { method: "GET", path: wanted } : wanted,
	);
	if ("error" in prepared) return { ok: false, error: prepared.error };
	if (signal.aborted) return stopped;
	return new Promise((resolve) => {
		let head: { readonly status: number; readonly headers: IncomingHttpHeaders } = { status: 0, headers: {} };
		let body = "";
		const settle = (fetched: Fetched) => {
			signal.removeEventListener("abort", stop);
			exchange.close();
			resolve(fetched);
		};
		const stop = () => settle(stopped);
		const exchange = new HttpExchange(prepared.call, {
			onHead(status, headers) {
				head = { status, headers };
			},
			onText(text) {
				body += text;
				if (body.length > longestBody) settle({ ok: false, error: protocol("The answer is too long.") });
			},
			onEnd: () => settle(read(head.status, head.headers, redact(body, prepared.secrets))),
			onFailure: (error) => settle({ ok: false, error }),
		});
		signal.addEventListener("abort", stop, { once: true });
	});
}

const stopped: Fetched = { ok: false, error: { kind: "network", message: "Stopped.", retryable: true } };

function protocol(message: string): ModelError {
	return { kind: "protocol", message, retryable: true };
}

function read(status: number, headers: IncomingHttpHeaders, body: string): Fetched {
	if (status < 200 || status >= 300) return { ok: false, error: readHttpFailure(status, headers, body) };
	try {
		return { ok: true, value: JSON.parse(body) };
	} catch {
		return { ok: false, error: protocol("The address answers, but not with JSON. Is the base URL right?") };
	}
}
