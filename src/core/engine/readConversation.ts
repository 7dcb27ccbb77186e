import { isCompaction, readReach } from "../sessions/compaction.ts";
import type { Entry } from "../sessions/entry.ts";
import type { Database } from "../store/database.ts";

/** The most of a session that a run reads back, and how much of it at once. */
const pageEntries = 2_000;
const mostPages = 5;

/**
 * A session as the next request to a model reads it: since it was last compacted, with what that left as it was. Without
 * a compaction, its last entries, from where somebody said something: a result without its call means nothing to a model.
 */
export async function readConversation(database: Pick<Database, "call">, sessionId: string): Promise<readonly Entry[]> {
	const last = await database.call("readLastEntries", { sessionId, limit: pageEntries });
	let entries = last;
	for (let page = 1; ; page++) {
		const compaction = entries.findLast(isCompaction);
		if (compaction) return sinceCompaction(database, sessionId, compaction, entries);
		const [first] = entries;
		if (first === undefined || entries.length < page * pageEntries) return entries;
		if (page === mostPages)
			return last.slice(
				Math.max(
					0,
					last.findIndex(({ kind }) => kind === "user"),
				),
			);
		const earlier = await database.call("readLastEntries", { sessionId, before: first.seq, limit: pageEntries });
		entries = [...earlier, ...entries];
	}
}

async function sinceCompaction(
	database: Pick<Database, "call">,
	sessionId: string,
	compaction: Entry,
	entries: readonly Entry[],
): Promise<readonly Entry[]> {
	const reach = readReach(compaction);
	if (reach === undefined) return [compaction, ...entries.filter(({ seq }) => seq > compaction.seq)];
	const kept = await Promise.all(
		reach.kept.map(async (seq) => {
			const [entry] = await database.call("readEntries", { sessionId, after: seq - 1, limit: 1 });
			return entry?.seq === seq ? [entry] : [];
		}),
	);
	let tail = entries.filter(({ seq }) => seq >= reach.from);
	let before = entries[0]?.seq ?? 0;
	// What was left as it was may reach further back than what has been read.
	while (before > reach.from) {
		const earlier = await database.call("readLastEntries", { sessionId, before, limit: pageEntries });
		before = earlier[0]?.seq ?? 0;
		tail = [...earlier.filter(({ seq }) => seq >= reach.from), ...tail];
	}
	return [...kept.flat(), compaction, ...tail.filter((entry) => !isCompaction(entry))];
}
