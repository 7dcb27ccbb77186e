import { randomBytes } from "node:crypto";
import { auth, extractWWWAuthenticateParams } from "@modelcontextprotocol/sdk/client/auth.js";
import { OAuthError } from "@modelcontextprotocol/sdk/server/auth/errors.js";
import type { FetchLike } from "@modelcontextprotocol/sdk/shared/transport.js";
import { type Problem, ProblemError } from "../base/errors.ts";
import type { McpServerFields } from "../config/mcpServerFields.ts";
import type { Clock } from "../ports/clock.ts";
import type { SecretPlace, Secrets } from "../ports/secrets.ts";
import type { SignInBrowser } from "../ports/signInBrowser.ts";
import { withDeadline } from "../ports/withDeadline.ts";
import { Unreachable } from "./httpFetch.ts";
import { listenForSignIn, type SignInListener } from "./signInAnswer.ts";
import { SignInClient } from "./signInClient.ts";
import { createSignInFetch, refuseSignIn } from "./signInFetch.ts";
import { keepSignIn, readSignIn, type SignInRecord } from "./signInRecord.ts";

const signInMs = 5 * 60_000;
const renewMs = 30_000;
/** A token that ends so soon may be over when it arrives. */
const marginMs = 10_000;

export interface ServerSignInOptions {
	readonly name: string;
	readonly url: URL;
	readonly fields: Pick<McpServerFields, "scopes" | "oauth" | "oauthResource">;
	readonly place: SecretPlace;
	readonly secrets: Secrets;
	readonly clock: Clock;
	/** Missing where there is no person's browser, as on the command line. */
	readonly browser: SignInBrowser | undefined;
}

/** Thrown through the SDK's transports, which pass it on. */
export class SignInNeeded extends ProblemError {}

type Hints = Pick<ReturnType<typeof extractWWWAuthenticateParams>, "resourceMetadataUrl" | "scope">;

/** A server's tokens: sent with each request, renewed where that needs nobody, and got anew when a person says so. */
export class ServerSignIn {
	readonly #options: ServerSignInOptions;
	readonly #seen = new Set<string>();
	#renewing: Promise<string | undefined> | undefined;
	#hints: Hints = {};
	#refused: string | undefined;

	constructor(options: ServerSignInOptions) {
		this.#options = options;
	}

	/** Every token of this process: no message may show one. */
	get secrets(): readonly string[] {
		return [...this.#seen];
	}

	get problem(): Problem {
		const { name, browser } = this.#options;
		const advice = browser
			? "Use Sign In on its row in the MCP Servers view"
			: "Sign in from the editor, or name a variable with a token in bearer_token_env_var";
		return { code: "mcp.signIn", message: `The MCP server "${name}" wants you to sign in. ${advice}` };
	}

	/** Whether trying again would be refused again. */
	async isRefused(): Promise<boolean> {
		return (await this.#read())?.tokens.access_token === this.#refused;
	}

	/** With the token, for the server alone. A refusal ends in `SignInNeeded`, after one renewal at most. */
	sign(send: FetchLike): FetchLike {
		return async (input, init) => {
			if (new URL(input).origin !== this.#options.url.origin) return send(input, init);
			const token = await this.#token();
			const response = await send(input, withToken(init, token));
			if (response.status !== 401) return response;
			await response.body?.cancel();
			this.#hear(response);
			const renewed = await this.#renew(token);
			const again = renewed === undefined ? undefined : await send(input, withToken(init, renewed));
			if (again && again.status !== 401) return again;
			await again?.body?.cancel();
			this.#refused = renewed ?? token;
			throw new SignInNeeded(this.problem);
		};
	}

	/** Takes a person to where they sign in, and keeps what comes of it. Rejects with a problem; then nothing has changed. */
	async signIn(signal?: AbortSignal): Promise<void> {
		const { browser, clock, name } = this.#options;
		if (browser === undefined) throw new ProblemError(this.problem);
		const late = () =>
			new ProblemError({ code: "mcp.signInLate", message: `Nobody has signed in to "${name}" within five minutes.` });
		try {
			const record = await withDeadline((within) => this.#ask(browser, within), { clock, ms: signInMs, signal, late });
			await this.#keep(record);
		} catch (error) {
			if (signal?.aborted) throw error;
			throw explain(error, name);
		}
	}

	/** Forgets the tokens. Whoever gave them still takes them until they end. */
	async signOut(): Promise<void> {
		await keepSignIn(this.#options.secrets, this.#options.place, undefined);
	}

	async #ask(browser: SignInBrowser, signal: AbortSignal): Promise<SignInRecord> {
		const { url, fields, name } = this.#options;
		const fetchFn = createSignInFetch(url, signal);
		await this.#probe(fetchFn);
		const state = randomBytes(32).toString("base64url");
		const listener = await listenForSignIn(state, fields.oauth?.callbackPort);
		try {
			const redirect = await browser.externalAddress(listener.address);
			listener.allowHost(redirect.host);
			const client = this.#createClient(redirect.href, state);
			await auth(client, this.#authOptions(fetchFn));
			signal.throwIfAborted();
			if (client.page === undefined || !(await browser.open(client.page))) {
				throw new ProblemError({ code: "mcp.signInCancelled", message: `You are not signed in to "${name}".` });
			}
			await auth(client, { ...this.#authOptions(fetchFn), authorizationCode: await codeOf(listener, client, signal) });
			if (client.record === undefined) throw refuseSignIn("it gave no token");
			return client.record;
		} finally {
			await listener.close();
		}
	}

	/** Asks as nobody, for what the server says to those. */
	async #probe(send: FetchLike): Promise<void> {
		const { url } = this.#options;
		const params = { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "muster", version: "0" } };
		const response = await send(url, {
			method: "POST",
			headers: { "content-type": "application/json", accept: "application/json, text/event-stream" },
			body: JSON.stringify({ jsonrpc: "2.0", id: 0, method: "initialize", params }),
		});
		await response.body?.cancel();
		if (response.status === 401) this.#hear(response);
	}

	#hear(response: Response): void {
		const { resourceMetadataUrl, scope } = extractWWWAuthenticateParams(response);
		this.#hints = { ...(resourceMetadataUrl && { resourceMetadataUrl }), ...(scope !== undefined && { scope }) };
	}

	#authOptions(fetchFn: FetchLike) {
		const { url, fields } = this.#options;
		const { resourceMetadataUrl, scope } = this.#hints;
		if (resourceMetadataUrl && resourceMetadataUrl.origin !== url.origin) {
			throw refuseSignIn(`it is described at another origin, ${resourceMetadataUrl.origin}`);
		}
		const wanted = fields.scopes?.join(" ") ?? scope;
		return {
			serverUrl: url,
			fetchFn,
			...(resourceMetadataUrl && { resourceMetadataUrl }),
			...(wanted !== undefined && { scope: wanted }),
		};
	}

	#createClient(redirectUrl: string, state: string, record?: SignInRecord): SignInClient {
		const { url, fields, clock } = this.#options;
		return new SignInClient({
			server: url,
			clock,
			redirectUrl,
			state,
			scope: fields.scopes?.join(" "),
			resource: fields.oauthResource,
			clientId: fields.oauth?.clientId,
			...(record && { record }),
		});
	}

	async #token(): Promise<string | undefined> {
		const record = await this.#read();
		if (record === undefined) return undefined;
		const isOver = record.expiresAt !== null && record.expiresAt - marginMs < this.#options.clock.now();
		const { access_token: token, refresh_token: refresh } = record.tokens;
		return isOver && refresh !== undefined ? ((await this.#renew(token)) ?? token) : token;
	}

	/** Many requests may find out at the same time. */
	#renew(used: string | undefined): Promise<string | undefined> {
		this.#renewing ??= this.#renewOnce(used).finally(() => (this.#renewing = undefined));
		return this.#renewing;
	}

	async #renewOnce(used: string | undefined): Promise<string | undefined> {
		const record = await this.#read();
		if (record === undefined) return undefined;
		// Another window may have done it.
		if (record.tokens.access_token !== used) return record.tokens.access_token;
		if (record.tokens.refresh_token === undefined) return undefined;
		const { clock, url } = this.#options;
		const client = this.#createClient("http://127.0.0.1/callback", "", record);
		const late = () => new Unreachable("Nothing has renewed the token in time");
		const work = (signal: AbortSignal) => auth(client, { serverUrl: url, fetchFn: createSignInFetch(url, signal) });
		try {
			const result = await withDeadline(work, { clock, ms: renewMs, late });
			if (result !== "AUTHORIZED" || client.record === undefined) return undefined;
			await this.#keep(client.record);
			return client.record.tokens.access_token;
		} catch {
			// Its words could hold a token. The server itself says what comes of it.
			return undefined;
		}
	}

	async #read(): Promise<SignInRecord | undefined> {
		const record = await readSignIn(this.#options.secrets, this.#options.place);
		this.#note(record);
		return record;
	}

	async #keep(record: SignInRecord): Promise<void> {
		this.#note(record);
		await keepSignIn(this.#options.secrets, this.#options.place, record);
	}

	#note(record: SignInRecord | undefined): void {
		const { tokens, client } = record ?? {};
		for (const secret of [tokens?.access_token, tokens?.refresh_token, tokens?.id_token, client?.client_secret]) {
			if (secret !== undefined && secret !== "") this.#seen.add(secret);
		}
	}
}

function withToken(init: RequestInit | undefined, token: string | undefined): RequestInit | undefined {
	if (token === undefined) return init;
	const headers = new Headers(init?.headers);
	headers.set("authorization", `Bearer ${token}`);
	return { ...init, headers };
}

async function codeOf(listener: SignInListener, client: SignInClient, signal: AbortSignal): Promise<string> {
	const { promise, reject } = Promise.withResolvers<never>();
	const onAbort = () => reject(signal.reason);
	signal.addEventListener("abort", onAbort, { once: true });
	try {
		const { code, issuer } = await Promise.race([listener.answer, promise]);
		const asked = client.discoveryState()?.authorizationServerMetadata?.issuer;
		if (issuer !== undefined && asked !== undefined && issuer !== asked)
			throw refuseSignIn("another issuer has answered");
		return code;
	} finally {
		signal.removeEventListener("abort", onAbort);
	}
}

/** In words of ours: an authorization server's may repeat what it was sent. */
function explain(error: unknown, name: string): Error {
	if (error instanceof ProblemError) return error;
	const why =
		error instanceof OAuthError
			? `the authorization server refused (${error.errorCode})`
			: error instanceof Unreachable
				? error.message
				: error instanceof Error && error.message.startsWith("Incompatible auth server: does not support dynamic")
					? "it registers no programs by themselves. Register Muster there, and name the id in oauth.client_id"
					: "what it says about its sign-in can't be used";
	return new ProblemError({
		code: "mcp.signInFailed",
		message: `You are not signed in to the MCP server "${name}": ${why}.`,
	});
}
