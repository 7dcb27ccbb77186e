import type { Sql } from "./sql.ts";

export interface Consent {
	readonly hash: string;
	readonly server: string;
	/** What was shown. */
	readonly subject: string;
	readonly at: number;
}

export function hasConsent(sql: Sql, input: { readonly hash: string }): boolean {
	return sql.get("SELECT 1 FROM consent WHERE hash = :hash AND revoked_at IS NULL", { ...input }) !== undefined;
}

export function putConsent(sql: Sql, input: Consent): void {
	const { hash, server, subject, at } = input;
	sql.run(
		`INSERT INTO consent (hash, server, subject, at) VALUES (:hash, :server, :subject, :at)
			ON CONFLICT (hash) DO UPDATE SET revoked_at = NULL, at = excluded.at`,
		{ hash, server, subject, at },
	);
}

/** What was agreed to last for a server of this name, whether it still holds or not. */
export function readLastConsent(
	sql: Sql,
	input: { readonly server: string },
): (Consent & { readonly revokedAt: number | null }) | undefined {
	return sql.get(
		`SELECT hash, server, subject, at, revoked_at AS revokedAt FROM consent WHERE server = :server
			ORDER BY at DESC, rowid DESC LIMIT 1`,
		{ ...input },
	);
}

/** From now on it is asked again. */
export function revokeConsent(sql: Sql, input: { readonly server: string; readonly at: number }): void {
	const { server, at } = input;
	sql.run("UPDATE consent SET revoked_at = :at WHERE server = :server AND revoked_at IS NULL", { server, at });
}
