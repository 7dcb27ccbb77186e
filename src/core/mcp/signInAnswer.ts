import { createHash, timingSafeEqual } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { messageOf, ProblemError } from "../base/errors.ts";
import { shorten } from "../tools/shorten.ts";

const path = "/callback";
const maxHeaderSize = 8 * 1024;

/** What a browser brings back from a sign-in. */
export interface SignInAnswer {
	readonly code: string;
	/** Who says to have given it. */
	readonly issuer: string | undefined;
}

export interface SignInListener {
	/** Of this machine, on a port of its own. */
	readonly address: URL;
	/** The one answer with our state. Rejects with a problem when it is a refusal. */
	readonly answer: Promise<SignInAnswer>;
	/** The same place by another name, as a browser elsewhere sees it. */
	allowHost(host: string): void;
	close(): Promise<void>;
}

/** Waits on this machine for a browser to come back. Any page may call it, so it takes nothing without the state. */
export async function listenForSignIn(state: string, port = 0): Promise<SignInListener> {
	const hosts = new Set<string>();
	const { promise: answer, resolve, reject } = Promise.withResolvers<SignInAnswer>();
	// Who is not waiting any more does not mind.
	answer.catch(() => undefined);
	let isAnswered = false;
	let delivered: Promise<unknown> = Promise.resolve();
	const server = createServer({ maxHeaderSize }, (request, response) => {
		const taken = isAnswered ? refuse(410, "This sign-in is over.") : readAnswer(request, hosts, state);
		const say = (status: number, text: string) => {
			const headers = { "content-type": "text/plain; charset=utf-8", "cache-control": "no-store", connection: "close" };
			response.writeHead(status, { ...headers, "referrer-policy": "no-referrer" }).end(`${text}\n`);
		};
		if ("status" in taken) return say(taken.status, taken.text);
		isAnswered = true;
		delivered = once(response, "close");
		say(200, "Muster has the answer. You can close this page and go back to the editor.");
		if ("answer" in taken) resolve(taken.answer);
		else reject(new ProblemError({ code: "mcp.signInDenied", message: `The sign-in was refused (${taken.denied}).` }));
	});
	server.listen(port, "127.0.0.1");
	try {
		await once(server, "listening");
	} catch (error) {
		const message = `Nothing can listen on port ${port} for the end of the sign-in: ${messageOf(error)}`;
		throw new ProblemError({ code: "mcp.signInPort", message }, { cause: error });
	}
	const address = new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`);
	for (const host of [address.host, `localhost:${address.port}`]) hosts.add(host);
	return {
		address,
		answer,
		allowHost: (host) => void hosts.add(host),
		async close() {
			if (!server.listening) return;
			const closed = once(server, "close");
			server.close();
			// The person is told before anybody else who hangs on is cut off.
			await delivered;
			server.closeAllConnections();
			await closed;
		},
	};
}

type Taken =
	| { readonly status: number; readonly text: string }
	| { readonly answer: SignInAnswer }
	| { readonly denied: string };

function refuse(status: number, text: string): Taken {
	return { status, text };
}

function readAnswer({ method, url = "", headers }: IncomingMessage, hosts: ReadonlySet<string>, state: string): Taken {
	const { host = "", origin } = headers;
	// Another name for this machine is how a page elsewhere would get at it.
	if (!hosts.has(host)) return refuse(403, "Not here.");
	if (origin !== undefined && !hosts.has(origin.replace(/^https?:\/\//u, ""))) return refuse(403, "Not from there.");
	const { pathname, searchParams } = new URL(url, "http://127.0.0.1");
	if (pathname !== path) return refuse(404, "There is nothing here.");
	if (method !== "GET") return refuse(405, "Only GET.");
	if (!isSame(searchParams.get("state") ?? "", state)) return refuse(400, "This answer belongs to no sign-in of ours.");
	const denied = searchParams.get("error");
	if (denied !== null) return { denied: shorten(denied.replaceAll(/[^\w.-]/gu, ""), 60) };
	const code = searchParams.get("code") ?? "";
	if (code === "") return refuse(400, "This answer has no code.");
	return { answer: { code, issuer: searchParams.get("iss") ?? undefined } };
}

/** Takes as long for any wrong one. */
function isSame(one: string, other: string): boolean {
	const [a, b] = [one, other].map((text) => createHash("sha256").update(text).digest());
	return a !== undefined && b !== undefined && timingSafeEqual(a, b);
}
