import type { OAuthDiscoveryState } from "@modelcontextprotocol/sdk/client/auth.js";
import {
	OAuthClientInformationSchema,
	OAuthMetadataSchema,
	OAuthProtectedResourceMetadataSchema,
	OAuthTokensSchema,
	OpenIdProviderDiscoveryMetadataSchema,
} from "@modelcontextprotocol/sdk/shared/auth.js";
import * as z from "zod";
import { ProblemError } from "../base/errors.ts";
import type { SecretPlace, Secrets } from "../ports/secrets.ts";

const Discovery = z.object({
	authorizationServerUrl: z.string(),
	resourceMetadataUrl: z.string().optional(),
	resourceMetadata: OAuthProtectedResourceMetadataSchema.optional(),
	authorizationServerMetadata: z.union([OpenIdProviderDiscoveryMetadataSchema, OAuthMetadataSchema]).optional(),
});

const SignInRecord = z.object({
	/** Who it was that a person signed in at: a token is renewed there, whatever the server says later. */
	discovery: Discovery,
	client: OAuthClientInformationSchema,
	tokens: OAuthTokensSchema,
	expiresAt: z.number().nullable(),
});
/** What is kept of one sign-in. */
export interface SignInRecord {
	readonly discovery: OAuthDiscoveryState;
	readonly client: z.infer<typeof OAuthClientInformationSchema>;
	readonly tokens: z.infer<typeof OAuthTokensSchema>;
	readonly expiresAt: number | null;
}

/** Bound to the file and the name that configure the server, and to where it is. */
export function signInPlace(file: string, name: string, url: URL): SecretPlace {
	return { providerId: `mcp-sign-in:${JSON.stringify([file, name])}`, origin: url.origin };
}

/** Undefined where nobody is signed in, or what is kept can't be read. */
export async function readSignIn(secrets: Secrets, place: SecretPlace): Promise<SignInRecord | undefined> {
	const text = await secrets.get(place).catch(() => undefined);
	if (text === undefined) return undefined;
	try {
		const record = SignInRecord.safeParse(JSON.parse(text));
		return record.success ? (record.data as SignInRecord) : undefined;
	} catch {
		return undefined;
	}
}

/** The reason of a failure could hold the token, so it is told without one. */
export async function keepSignIn(
	secrets: Secrets,
	place: SecretPlace,
	record: SignInRecord | undefined,
): Promise<void> {
	try {
		if (record === undefined) await secrets.delete(place);
		else await secrets.set(place, JSON.stringify(record));
	} catch {
		throw new ProblemError({
			code: "mcp.signInStorage",
			message: "The Secret Storage, which keeps sign-ins, can't be used now.",
		});
	}
}
