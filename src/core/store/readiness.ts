import type { Sql } from "./sql.ts";

/**
 * Says anew which queued run of a session may start. To be called in the transaction of every change of a run's state,
 * hold, priority or place: one session executes one run at a time, in order, and what is held is passed over.
 */
export function refreshReadiness(sql: Sql, sessionId: string): void {
	// What is ready is queued and not held. By the session's own index: the planner would walk all that is ready anywhere.
	sql.run(
		`UPDATE run INDEXED BY run_turn SET is_ready = 0
			WHERE session_id = :sessionId AND state = 'queued' AND hold IS NULL AND is_ready = 1`,
		{ sessionId },
	);
	const isBusy = sql.get(
		`SELECT 1 FROM run WHERE session_id = :sessionId
			AND state IN ('running', 'waiting_approval', 'waiting_children')`,
		{ sessionId },
	);
	if (isBusy) return;
	const next = sql.get<{ seq: number }>(
		`SELECT seq FROM run WHERE session_id = :sessionId AND state = 'queued' AND hold IS NULL
			ORDER BY priority DESC, place LIMIT 1`,
		{ sessionId },
	);
	if (next) sql.run("UPDATE run SET is_ready = 1 WHERE seq = :seq", { seq: next.seq });
}
