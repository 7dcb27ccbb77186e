import type { SessionKind } from "../sessions/session.ts";
import type { Sql } from "./sql.ts";

export interface NewSession {
	readonly id: string;
	readonly key: string;
	readonly kind: SessionKind;
	readonly agentId: string;
	readonly depth: number;
	readonly createdAt: number;
}

/** The id of the session with this key, created when it is not there yet. */
export function ensureSession(sql: Sql, session: NewSession & { readonly parentSessionId: string | null }): string {
	const { id, key, kind, agentId, depth, createdAt, parentSessionId } = session;
	sql.run(
		`INSERT INTO session (id, key, kind, agent_id, parent_session_id, depth, created_at)
		VALUES (:id, :key, :kind, :agentId, :parentSessionId, :depth, :createdAt) ON CONFLICT (key) DO NOTHING`,
		{ id, key, kind, agentId, parentSessionId, depth, createdAt },
	);
	return sql.get<{ id: string }>("SELECT id FROM session WHERE key = :key", { key })?.id ?? id;
}

export function findSession(
	sql: Sql,
	input: { readonly key: string },
): { readonly id: string; readonly kind: SessionKind } | null {
	return (
		sql.get<{ id: string; kind: SessionKind }>("SELECT id, kind FROM session WHERE key = :key", { key: input.key }) ??
		null
	);
}
