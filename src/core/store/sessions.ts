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
	const existing = sql.get<{ id: string }>("SELECT id FROM session WHERE key = :key", { key });
	if (existing) return existing.id;
	sql.run(
		`INSERT INTO session (id, key, kind, agent_id, parent_session_id, depth, created_at)
		VALUES (:id, :key, :kind, :agentId, :parentSessionId, :depth, :createdAt)`,
		{ id, key, kind, agentId, parentSessionId, depth, createdAt },
	);
	return id;
}

export interface SessionFacts {
	readonly id: string;
	readonly key: string;
	readonly kind: SessionKind;
	readonly agentId: string;
	readonly depth: number;
	readonly createdAt: number;
	readonly isDeleted: boolean;
}

/** By its key or its id. */
export function findSession(sql: Sql, input: { readonly key: string }): SessionFacts | null {
	const row = sql.get<Omit<SessionFacts, "isDeleted"> & { isDeleted: number }>(
		`SELECT id, key, kind, agent_id AS agentId, depth, created_at AS createdAt, deleted_at IS NOT NULL AS isDeleted
			FROM session WHERE key = :key OR id = :key`,
		{ key: input.key },
	);
	return row ? { ...row, isDeleted: row.isDeleted === 1 } : null;
}
