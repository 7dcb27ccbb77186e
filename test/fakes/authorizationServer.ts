/** An MCP server that wants a sign-in, and the authorization server that gives it, both on one loopback address. */
import { createHash, randomUUID } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { onTestFinished } from "vitest";
import type { SignInBrowser } from "../../src/core/ports/signInBrowser.ts";

type Document = Record<string, unknown>;

export interface AuthorizationOptions {
	/** Whether the person says no. */
	readonly denies?: boolean;
	/** Whether tokens can be renewed. */
	readonly refreshes?: boolean;
	readonly expiresIn?: number;
	/** Whether it gives tokens that it does not take. */
	readonly refusesTokens?: boolean;
	/** Lies in what is told of the sign-in, by the server's own origin. */
	readonly resource?: (origin: string) => Document;
	readonly metadata?: (origin: string) => Document;
	readonly describedAt?: (origin: string) => string;
	/** Answers of the token endpoint that repeat what they were sent. */
	readonly babbles?: boolean;
}

interface Grant {
	readonly client: string;
	readonly redirect: string;
	readonly challenge: string;
}

export class AuthorizationServer {
	readonly #options: AuthorizationOptions;
	readonly #server = createServer((request, response) => void this.#answer(request, response));
	readonly #clients = new Map<string, readonly string[]>();
	readonly #grants = new Map<string, Grant>();
	readonly #valid = new Set<string>();
	readonly #refresh = new Map<string, string>();

	/** `POST /token` and the like, in their order; requests to the MCP server without `/mcp` of those that were let in. */
	readonly asked: string[] = [];
	/** Everything that must stay secret. */
	readonly given: string[] = [];

	private constructor(options: AuthorizationOptions) {
		this.#options = options;
	}

	static async start(options: AuthorizationOptions = {}): Promise<AuthorizationServer> {
		const own = new AuthorizationServer(options);
		own.#server.listen(0, "127.0.0.1");
		await once(own.#server, "listening");
		onTestFinished(() => {
			own.#server.closeAllConnections();
			own.#server.close();
		});
		return own;
	}

	get origin(): string {
		return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
	}

	get url(): string {
		return `${this.origin}/mcp`;
	}

	/** As if their time were over, or an administrator had taken them back. */
	revokeTokens({ andRefresh = false } = {}): void {
		this.#valid.clear();
		if (andRefresh) this.#refresh.clear();
	}

	count(request: string): number {
		return this.asked.filter((each) => each === request).length;
	}

	async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
		const url = new URL(request.url ?? "", this.origin);
		const body = await text(request);
		this.asked.push(`${request.method} ${url.pathname}`);
		const send = (status: number, value: Document) => sendJson(response, status, value);
		if (url.pathname === "/mcp") return this.#serve(request, body, response);
		if (url.pathname === "/.well-known/oauth-protected-resource/mcp") return send(200, this.#resource());
		if (url.pathname === "/.well-known/oauth-authorization-server") return send(200, this.#metadata());
		if (url.pathname === "/register") return this.#register(JSON.parse(body) as Document, response);
		if (url.pathname === "/authorize") return this.#authorize(url.searchParams, response);
		if (url.pathname === "/token") return this.#give(new URLSearchParams(body), response);
		send(404, {});
	}

	#resource(): Document {
		const own = { resource: this.url, authorization_servers: [this.origin], scopes_supported: ["read"] };
		return { ...own, ...this.#options.resource?.(this.origin) };
	}

	#metadata(): Document {
		return {
			issuer: this.origin,
			authorization_endpoint: `${this.origin}/authorize`,
			token_endpoint: `${this.origin}/token`,
			registration_endpoint: `${this.origin}/register`,
			response_types_supported: ["code"],
			code_challenge_methods_supported: ["S256"],
			token_endpoint_auth_methods_supported: ["none"],
			...this.#options.metadata?.(this.origin),
		};
	}

	#register({ redirect_uris: redirects }: Document, response: ServerResponse): void {
		const id = `client-${randomUUID()}`;
		this.#clients.set(id, redirects as readonly string[]);
		sendJson(response, 201, { client_id: id, redirect_uris: redirects, token_endpoint_auth_method: "none" });
	}

	#authorize(asked: URLSearchParams, response: ServerResponse): void {
		const read = (name: string) => asked.get(name) ?? "";
		const [client, redirect] = [read("client_id"), read("redirect_uri")];
		const isRight = this.#clients.get(client)?.includes(redirect) === true && read("code_challenge_method") === "S256";
		if (!isRight) return sendJson(response, 400, { error: "invalid_request" });
		const back = new URL(redirect);
		back.searchParams.set("state", read("state"));
		if (this.#options.denies === true) back.searchParams.set("error", "access_denied");
		else {
			const code = this.#secret("code");
			this.#grants.set(code, { client, redirect, challenge: read("code_challenge") });
			back.searchParams.set("code", code);
			back.searchParams.set("iss", this.origin);
		}
		response.writeHead(302, { location: back.href }).end();
	}

	#give(asked: URLSearchParams, response: ServerResponse): void {
		const read = (name: string) => asked.get(name) ?? "";
		if (this.#options.babbles === true) return void response.writeHead(500).end(`What is ${asked.toString()}?`);
		const client = read("client_id");
		const isRight =
			read("grant_type") === "refresh_token" ? this.#takeRefresh(read("refresh_token"), client) : this.#takeCode(read);
		if (!isRight) return sendJson(response, 400, { error: "invalid_grant", error_description: asked.toString() });
		const [token, refresh] = [this.#secret("token"), this.#secret("refresh")];
		if (this.#options.refusesTokens !== true) this.#valid.add(token);
		const { refreshes = true, expiresIn = 3600 } = this.#options;
		if (refreshes) this.#refresh.set(refresh, client);
		const own = { access_token: token, token_type: "Bearer", expires_in: expiresIn };
		sendJson(response, 200, { ...own, ...(refreshes && { refresh_token: refresh }) });
	}

	/** Each is good for once, as OAuth 2.1 wants it. */
	#takeRefresh(refresh: string, client: string): boolean {
		return this.#refresh.get(refresh) === client && this.#refresh.delete(refresh);
	}

	#takeCode(read: (name: string) => string): boolean {
		const grant = this.#grants.get(read("code"));
		this.#grants.delete(read("code"));
		const challenge = createHash("sha256").update(read("code_verifier")).digest("base64url");
		return (
			grant?.client === read("client_id") && grant.redirect === read("redirect_uri") && grant.challenge === challenge
		);
	}

	#serve({ headers, method }: IncomingMessage, body: string, response: ServerResponse): void {
		const token = headers.authorization?.replace("Bearer ", "");
		if (token === undefined || !this.#valid.has(token)) {
			const at = this.#options.describedAt?.(this.origin) ?? `${this.origin}/.well-known/oauth-protected-resource/mcp`;
			response.writeHead(401, { "www-authenticate": `Bearer resource_metadata="${at}"` });
			return void response.end(`who is ${headers.authorization}?`);
		}
		if (method !== "POST") return void response.writeHead(405).end();
		const message = JSON.parse(body) as { id?: number; method: string; params?: { arguments?: object } };
		if (message.id === undefined) return void response.writeHead(202).end();
		sendJson(response, 200, { jsonrpc: "2.0", id: message.id, result: resultOf(message) });
	}

	#secret(kind: string): string {
		const secret = `${kind}-${randomUUID()}`;
		this.given.push(secret);
		return secret;
	}
}

function resultOf({
	method,
	params,
}: {
	readonly method: string;
	readonly params?: { readonly arguments?: object };
}): Document {
	if (method === "initialize") {
		return { protocolVersion: "2025-06-18", capabilities: { tools: {} }, serverInfo: { name: "signed", version: "1" } };
	}
	if (method === "tools/list") return { tools: [{ name: "echo", inputSchema: { type: "object" } }] };
	return { content: [{ type: "text", text: JSON.stringify(params?.arguments) }] };
}

function sendJson(response: ServerResponse, status: number, value: Document): void {
	response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(value));
}

/** A browser whose person signs in at once. `before` happens with the answer's address in hand, before they do. */
export class TestBrowser implements SignInBrowser {
	readonly pages: URL[] = [];
	/** What the pages said at last. */
	readonly said: string[] = [];
	readonly #before: (page: URL) => Promise<boolean>;

	constructor(before: (page: URL) => Promise<boolean> = async () => true) {
		this.#before = before;
	}

	async externalAddress(local: URL): Promise<URL> {
		return local;
	}

	async open(page: URL): Promise<boolean> {
		this.pages.push(page);
		if (!(await this.#before(page))) return false;
		// A browser tells nobody when it is done.
		void fetch(page)
			.then(async (response) => this.said.push(await response.text()))
			.catch((error: unknown) => this.said.push(String(error)));
		return true;
	}
}
