/** The list of steps that a session's `todo` tool keeps. Subagents that are spawned for a step move it. */
import type { Run } from "../runs/run.ts";
import type { TodoItem } from "../runs/todoItem.ts";
import type { Sql } from "./sql.ts";

/** Replaces the whole list. */
export function writeTodos(sql: Sql, input: { readonly sessionId: string; readonly items: readonly TodoItem[] }): void {
	const { sessionId, items } = input;
	sql.run("DELETE FROM todo_item WHERE session_id = :sessionId", { sessionId });
	for (const [place, { id, content, status }] of items.entries()) {
		sql.run(
			`INSERT INTO todo_item (session_id, id, place, content, status)
				VALUES (:sessionId, :id, :place, :content, :status)`,
			{ sessionId, id, place, content, status },
		);
	}
}

export function readTodos(sql: Sql, input: { readonly sessionId: string }): TodoItem[] {
	return sql.all<TodoItem>("SELECT id, content, status FROM todo_item WHERE session_id = :sessionId ORDER BY place", {
		sessionId: input.sessionId,
	});
}

/**
 * Moves the step of its requester's list that a run was spawned for. False when there is none, or when it could not be
 * moved: that never keeps a run from starting or ending.
 */
export function moveTodo(sql: Sql, { requesterSessionId, request }: Run, status: TodoItem["status"]): boolean {
	const { taskId } = request;
	if (requesterSessionId === null || typeof taskId !== "string") return false;
	const named = { sessionId: requesterSessionId, taskId, status };
	try {
		return sql.run("UPDATE todo_item SET status = :status WHERE session_id = :sessionId AND id = :taskId", named) > 0;
	} catch {
		return false;
	}
}
