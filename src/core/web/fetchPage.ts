import { ClientRequest, type IncomingMessage } from "node:http";
import { isIP, type Socket } from "node:net";
import { messageOf, ProblemError } from "../base/errors.ts";
import type { WebAccess } from "../ports/webAccess.ts";
import { judgeAddress } from "./judgeAddress.ts";
import { openConnection } from "./openConnection.ts";
import { acceptedEncodings, readBody } from "./readBody.ts";
import { publicOnly, readWebAddress } from "./readWebAddress.ts";

export type FetchedPage =
	| { readonly kind: "page"; readonly url: URL; readonly contentType: string; readonly body: Buffer }
	/** It redirects to where nobody has allowed a request yet. */
	| { readonly kind: "elsewhere"; readonly from: URL; readonly url: URL }
	/** Written for the model. */
	| { readonly kind: "failed"; readonly problem: string };

const mostRedirects = 5;

/**
 * One page by GET, with no cookie, key or body of ours. Each step looks the name up once, refuses unless all its addresses
 * are public, and connects to an address that it has checked. Redirects are followed on the same host only: another one is
 * another question to the gate. Rejects only when it is stopped.
 */
export async function fetchPage(start: string, web: WebAccess, signal: AbortSignal): Promise<FetchedPage> {
	const first = readWebAddress(start);
	if (!first.ok) return failed(first.problem);
	let { url } = first;
	for (let redirects = 0; redirects <= mostRedirects; redirects++) {
		const step = await take(url, web, signal);
		if (!("location" in step)) return step;
		const next = readTarget(step.location, url);
		if (!next.ok) return failed(`${url.href} redirects, and it is not followed: ${next.problem}`);
		if (!isSameHost(first.url, next.url)) return { kind: "elsewhere", from: url, url: next.url };
		({ url } = next);
	}
	return failed(`${first.url.href} redirects more than ${mostRedirects} times. Use another source.`);
}

function readTarget(location: string, base: URL) {
	return readWebAddress(URL.canParse(location, base.href) ? new URL(location, base).href : location);
}

/** The host that was allowed, or the same one encrypted. */
function isSameHost(allowed: URL, url: URL): boolean {
	return url.origin === allowed.origin || (allowed.port === "" && url.origin === `https://${allowed.host}`);
}

async function take(
	url: URL,
	web: WebAccess,
	signal: AbortSignal,
): Promise<FetchedPage | { readonly location: string }> {
	let socket: Socket | undefined;
	const stop = () => socket?.destroy(signal.reason);
	signal.addEventListener("abort", stop, { once: true });
	try {
		const addresses = await findAddresses(url, web);
		if (typeof addresses === "string") return failed(addresses);
		socket = await openConnection(url, addresses, web, signal);
		return await read(url, await ask(url, socket));
	} catch (error) {
		signal.throwIfAborted();
		return failed(explain(error, url));
	} finally {
		signal.removeEventListener("abort", stop);
		socket?.destroy();
	}
}

/** All of them, or why none may be used: of several, whoever answers could choose which one is taken. */
async function findAddresses(url: URL, web: WebAccess): Promise<readonly string[] | string> {
	const host = url.hostname.replace(/^\[|\]$/gu, "");
	const addresses = isIP(host) === 0 ? await web.resolve(host) : [host];
	if (addresses.length === 0) return `${url.hostname} has no address. Check the name, or use another source.`;
	for (const address of addresses) {
		const kind = judgeAddress(address);
		if (kind !== undefined) return `${url.hostname} leads to ${address}, which is ${kind}. ${publicOnly}`;
	}
	return addresses.slice(0, 4);
}

/**
 * Made by its class: VS Code replaces the functions of `node:http`, and with them the connection, where a proxy may be.
 * The socket speaks TLS already where it has to.
 */
function ask(url: URL, socket: Socket): Promise<IncomingMessage> {
	const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
	const request = new ClientRequest({
		protocol: "http:",
		method: "GET",
		host: url.hostname,
		path: `${url.pathname}${url.search}`,
		headers: {
			host: url.host,
			accept: "text/html, text/plain, text/markdown, application/json, application/xml;q=0.9, text/*;q=0.8",
			"accept-encoding": acceptedEncodings,
			"user-agent": "muster",
			connection: "close",
		},
		createConnection: () => socket,
	});
	request.on("response", resolve);
	request.on("error", reject);
	request.end();
	return promise;
}

async function read(url: URL, incoming: IncomingMessage): Promise<FetchedPage | { readonly location: string }> {
	const { statusCode: status = 0, headers } = incoming;
	if ([301, 302, 303, 307, 308].includes(status) && headers.location !== undefined) {
		return { location: headers.location };
	}
	if (status < 200 || status >= 300) return failed(explainStatus(status, url));
	const contentType = headers["content-type"] ?? "";
	if (!isText(contentType)) {
		const type = JSON.stringify(contentType.slice(0, 80));
		return failed(`${url.href} is no text (${type}), and only text can be read. Look for the same as a web page.`);
	}
	return { kind: "page", url, contentType, body: await readBody(incoming) };
}

/** Where nothing is said, the bytes decide later. */
function isText(contentType: string): boolean {
	const [type = ""] = contentType.split(";");
	const name = type.trim().toLowerCase();
	return (
		name === "" ||
		name.startsWith("text/") ||
		/^application\/(?:[\w.-]+\+)?(?:json|xml)$/u.test(name) ||
		/^application\/(?:x-)?(?:javascript|ecmascript|ndjson|jsonl|yaml|toml|sh)$/u.test(name)
	);
}

function explainStatus(status: number, { href, origin }: URL): string {
	const said = `${href} answers with HTTP ${status}`;
	if (status === 404 || status === 410) return `${said}: there is no such page. Check the address, or search for it.`;
	if (status === 401 || status === 403) return `${said}: it is not open to everybody. Use another source.`;
	if (status === 429 || status >= 500)
		return `${said}: ${origin} cannot answer now. Try again later, or use another source.`;
	return `${said}, which is no page. Use another source.`;
}

const causes: Readonly<Record<string, string>> = {
	ECONNREFUSED: "nothing listens there",
	ECONNRESET: "the connection was cut",
	ENOTFOUND: "there is no such host name",
	EAI_AGAIN: "the host name could not be looked up",
	ENODATA: "there is no such host name",
	ETIMEDOUT: "it does not answer",
	EHOSTUNREACH: "the host cannot be reached",
	ENETUNREACH: "the network cannot be reached",
};

function explain(error: unknown, { href, host }: URL): string {
	if (error instanceof ProblemError) return `${href}: ${error.message}`;
	const code = error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : "";
	const advice = "Check the address, or use another source.";
	if (code.startsWith("HPE_")) return `${host} does not answer with HTTP (${code}). ${advice}`;
	if (code.startsWith("Z_") || code.startsWith("ERR_BROTLI") || code.startsWith("ERR__ERROR_FORMAT")) {
		return `${href} is packed wrongly (${code}). ${advice}`;
	}
	if (/CERT|^ERR_TLS|^ERR_SSL|^EPROTO$|UNABLE_TO_/u.test(code)) {
		return `There is no secure connection to ${host} (${messageOf(error)}). ${advice}`;
	}
	return `${host} cannot be reached: ${causes[code] ?? messageOf(error)}. Pages are fetched without a proxy. ${advice}`;
}

function failed(problem: string): FetchedPage {
	return { kind: "failed", problem };
}
