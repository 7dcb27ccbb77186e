import type { OAuthClientProvider, OAuthDiscoveryState } from "@modelcontextprotocol/sdk/client/auth.js";
import type {
	OAuthClientInformationMixed,
	OAuthClientMetadata,
	OAuthTokens,
} from "@modelcontextprotocol/sdk/shared/auth.js";
import { BugError } from "../base/errors.ts";
import type { Clock } from "../ports/clock.ts";
import { checkSignInAddress, refuseSignIn } from "./signInFetch.ts";
import type { SignInRecord } from "./signInRecord.ts";

export interface SignInClientOptions {
	readonly server: URL;
	readonly clock: Clock;
	readonly redirectUrl: string;
	readonly state: string;
	readonly scope: string | undefined;
	readonly resource: string | undefined;
	/** Known to the authorization server already. */
	readonly clientId: string | undefined;
	/** What is to be renewed; missing where a person signs in anew. */
	readonly record?: SignInRecord;
}

/**
 * One round of the SDK's `auth`, all of it in memory: what is to be kept is taken out when it went well. It opens nothing
 * by itself; where a person is needed, `page` says where they have to go.
 */
export class SignInClient implements OAuthClientProvider {
	readonly #options: SignInClientOptions;
	#record: Partial<SignInRecord>;
	#verifier: string | undefined;

	page: URL | undefined;
	readonly redirectUrl: string;
	/** Only with a person may Muster be registered anew: the SDK does so where this is there. */
	readonly saveClientInformation?: (client: OAuthClientInformationMixed) => void;
	/** The SDK checks the server's word for it where this is missing. */
	readonly validateResourceURL?: () => Promise<URL>;

	constructor(options: SignInClientOptions) {
		this.#options = options;
		const { record, resource, clientId } = options;
		this.#record = record ?? {};
		this.redirectUrl = options.redirectUrl;
		if (clientId !== undefined && record === undefined) this.#record = { client: { client_id: clientId } };
		if (resource !== undefined) this.validateResourceURL = async () => new URL(resource);
		if (record === undefined) this.saveClientInformation = (client) => (this.#record = { ...this.#record, client });
	}

	/** Undefined before it has led to a token. */
	get record(): SignInRecord | undefined {
		const { discovery, client, tokens, expiresAt = null } = this.#record;
		return discovery && client && tokens && { discovery, client, tokens, expiresAt };
	}

	get clientMetadata(): OAuthClientMetadata {
		const { scope } = this.#options;
		return {
			client_name: "Muster",
			redirect_uris: [this.redirectUrl],
			grant_types: ["authorization_code", "refresh_token"],
			response_types: ["code"],
			token_endpoint_auth_method: "none",
			...(scope !== undefined && { scope }),
		};
	}

	state(): string {
		return this.#options.state;
	}

	clientInformation(): OAuthClientInformationMixed | undefined {
		return this.#record.client;
	}

	tokens(): OAuthTokens | undefined {
		return this.#record.tokens;
	}

	saveTokens(tokens: OAuthTokens): void {
		const { expires_in: seconds } = tokens;
		const expiresAt = seconds === undefined ? null : this.#options.clock.now() + seconds * 1000;
		this.#record = { ...this.#record, tokens, expiresAt };
	}

	redirectToAuthorization(page: URL): void {
		this.page = checkSignInAddress(page, this.#options.server);
	}

	saveCodeVerifier(verifier: string): void {
		this.#verifier = verifier;
	}

	codeVerifier(): string {
		if (this.#verifier === undefined) throw new BugError("A code is exchanged before it was asked for");
		return this.#verifier;
	}

	/** Comes before anything is sent to where the metadata points. */
	saveDiscoveryState(discovery: OAuthDiscoveryState): void {
		checkDiscovery(discovery, this.#options.server);
		this.#record = { ...this.#record, discovery };
	}

	discoveryState(): OAuthDiscoveryState | undefined {
		return this.#record.discovery;
	}

	invalidateCredentials(scope: "all" | "client" | "tokens" | "verifier" | "discovery"): void {
		const { tokens: _, ...rest } = this.#record;
		if (scope === "tokens" || scope === "all") this.#record = rest;
	}
}

/**
 * Who describes an authorization server must be that server, with all that it names: one that mixes its own addresses with
 * another's would be sent the other's codes.
 */
function checkDiscovery(
	{ authorizationServerUrl, authorizationServerMetadata: metadata }: OAuthDiscoveryState,
	server: URL,
) {
	const { origin, href } = checkSignInAddress(authorizationServerUrl, server);
	if (metadata === undefined) return;
	const issuer = URL.canParse(metadata.issuer) ? new URL(metadata.issuer).href : metadata.issuer;
	if (withoutSlash(issuer) !== withoutSlash(href)) throw refuseSignIn(`${origin} describes itself as another issuer`);
	const { authorization_endpoint: page, token_endpoint: token, registration_endpoint: registration } = metadata;
	for (const endpoint of [page, token, ...(registration === undefined ? [] : [registration])]) {
		const url = checkSignInAddress(endpoint, server);
		if (url.origin !== origin) throw refuseSignIn(`${origin} sends to another origin, ${url.origin}`);
	}
}

function withoutSlash(url: string): string {
	return url.replace(/\/$/u, "");
}
