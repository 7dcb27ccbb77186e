import type { Run } from "../runs/run.ts";
import type { RunEvent } from "../runs/runEvent.ts";
import type { Entry } from "../sessions/entry.ts";
import type { Database } from "../store/database.ts";
import type { FoundEntry } from "../store/transcripts.ts";
import type { Verification } from "../store/verifyStore.ts";

/** What has been said and done, page by page. */
export class Transcripts {
	readonly #database: Database;

	constructor(database: Database) {
		this.#database = database;
	}

	/** One page of a run's transcript, from after the entry `after`. */
	read(run: Pick<Run, "sessionId">, after: number, limit: number): Promise<Entry[]> {
		return this.#database.call("readEntries", { sessionId: run.sessionId, after, limit });
	}

	/** One page of any session's transcript, e.g. what was announced to the user's. Empty when there is no such session. */
	async readSession(key: string, after: number, limit: number): Promise<Entry[]> {
		const session = await this.#database.call("findSession", { key });
		return session ? this.#database.call("readEntries", { sessionId: session.id, after, limit }) : [];
	}

	/** Everything that happened to one run, oldest first, but for the first `skip`. */
	readEvents(runId: string, skip = 0): Promise<RunEvent[]> {
		return this.#database.call("readEvents", { runId, skip });
	}

	/** Where these words were said, best first. */
	search(words: string, limit: number): Promise<FoundEntry[]> {
		return this.#database.call("searchEntries", { words, limit });
	}

	/** Checks every invariant of the store. */
	verify(): Promise<Verification> {
		return this.#database.call("verifyStore");
	}
}
