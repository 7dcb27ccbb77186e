import type { Run } from "../runs/run.ts";
import type { Database } from "../store/database.ts";

/** More than this of an answer is read in its transcript. */
const readEntries = 500;

/** The whole last answer of a run: the text of its last turn. Null when it said nothing. */
export async function lastAnswer(database: Database, run: Run): Promise<string | null> {
	const entries = await database.call("readLastEntries", { sessionId: run.sessionId, limit: readEntries });
	const texts = entries.filter(({ kind, runId }) => kind === "text" && runId === run.id);
	const lastTurn = texts.at(-1)?.turn;
	const answer = texts.filter(({ turn }) => turn === lastTurn).map(({ text }) => text);
	return answer.join("").trim() || null;
}
