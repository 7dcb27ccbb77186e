import { lookup as lookUp } from "node:dns";
import { isIP, type LookupFunction } from "node:net";
import type { FetchLike } from "@modelcontextprotocol/sdk/shared/transport.js";
import { ProblemError } from "../base/errors.ts";
import { isLoopback } from "../config/mcpServerProblems.ts";
import { judgeAddress } from "../web/judgeAddress.ts";
import { fetchWhole, Unreachable } from "./httpFetch.ts";

const maxBytes = 256 * 1024;

/** Something that a server tells of its sign-in and that is not followed. */
export function refuseSignIn(why: string): ProblemError {
	return new ProblemError({
		code: "mcp.signInRefused",
		message: `The sign-in that the server offers is not used: ${why}.`,
	});
}

/** Whether a server can be signed in to: what is not encrypted would give the token away. */
export function isSafeForTokens(url: URL): boolean {
	return url.protocol === "https:" || (url.protocol === "http:" && isLoopback(url.hostname));
}

/**
 * Refuses what a server that wants a person to sign in may not name: anything but https, a name with a password in it,
 * and this machine, unless the server is on it too.
 */
export function checkSignInAddress(address: URL | string, server: URL): URL {
	if (!URL.canParse(String(address))) throw refuseSignIn("it names something that is no address");
	const url = new URL(address);
	if (!isSafeForTokens(url)) throw refuseSignIn(`it leads to ${url.protocol}//${url.host}, and only https is safe`);
	if (url.username !== "" || url.password !== "") throw refuseSignIn("its address holds a name or a password");
	if (isLoopback(url.hostname) && !isLoopback(server.hostname)) throw refuseSignIn("it leads to this machine");
	return url;
}

/** For what the SDK asks around a sign-in. What the server is not itself has to be as public as the server is. */
export function createSignInFetch(server: URL, signal: AbortSignal): FetchLike {
	return async (input, init) => {
		const url = checkSignInAddress(input, server);
		const body = init?.body instanceof URLSearchParams ? init.body.toString() : init?.body;
		const isOwn = url.origin === server.origin || isLoopback(server.hostname);
		if (!isOwn && isIP(url.hostname.replace(/^\[|\]$/gu, "")) !== 0) checkPublic(url.hostname.replace(/^\[|\]$/gu, ""));
		return fetchWhole(url, { ...init, body: body ?? null, signal }, maxBytes, isOwn ? undefined : publicLookup);
	};
}

function checkPublic(address: string): void {
	const kind = judgeAddress(address);
	if (kind !== undefined) throw new Unreachable(`The sign-in leads to ${kind}`);
}

/** What it finds is what is connected to, so nothing changes in between. */
const publicLookup: LookupFunction = (hostname, options, done) => {
	lookUp(hostname, { ...options, all: true }, (error, addresses) => {
		const [first] = addresses ?? [];
		if (error !== null || first === undefined) return done(error ?? new Error("no address"), "", 4);
		const inner = addresses.find(({ address }) => judgeAddress(address) !== undefined);
		if (inner) return done(new Unreachable(`The sign-in leads to ${judgeAddress(inner.address)}`), "", 4);
		if (options.all === true) done(null, addresses);
		else done(null, first.address, first.family);
	});
};
