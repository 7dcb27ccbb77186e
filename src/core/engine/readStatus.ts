import { statusForPrompt } from "../announce/statusForPrompt.ts";
import type { Run } from "../runs/run.ts";
import type { Database } from "../store/database.ts";

const mostShown = 50;

/** How a main agent's children are, for its model. Null for a subagent, and where there are none. */
export async function readStatus(
	database: Database,
	{ kind, sessionId }: Run,
	{ retained, at }: { readonly retained: number; readonly at: number },
): Promise<string | null> {
	if (kind !== "main") return null;
	const [children, plans, todos] = await Promise.all([
		database.call("listChildren", { sessionId, limit: mostShown }),
		database.call("listPlansFor", { requesterSessionId: sessionId, limit: mostShown }),
		database.call("readTodos", { sessionId }),
	]);
	return statusForPrompt(children, retained, at, { plans, todos });
}
