import { existsSync } from "node:fs";
import { isBuiltin } from "node:module";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { BugError, ProblemError } from "../core/base/errors.ts";
import { systemClock } from "../core/ports/clock.ts";
import type { Logger } from "../core/ports/logger.ts";
import { SessionControl } from "../core/engine/sessionControl.ts";
import { Transcripts } from "../core/engine/transcripts.ts";
import { Database } from "../core/store/database.ts";
import type { Place } from "./findStore.ts";

/** The runs of a workspace for who only looks. */
export interface Store {
	readonly database: Database;
	readonly control: SessionControl;
	readonly transcripts: Transcripts;
}

/** What went wrong behind the scenes, on one line each. */
export const stderrLogger: Logger = {
	info: () => undefined,
	warn: (message) => void process.stderr.write(`muster: ${message}\n`),
	error: (message) => void process.stderr.write(`muster: ${message}\n`),
};

/** Whether anything has ever run in this workspace. */
export function hasStore({ store }: Place): boolean {
	return existsSync(path.join(store, "muster.db"));
}

/**
 * Lets `use` look at a workspace's store, as no host: nothing is started, settled or lost by it. A workspace without a
 * store gives `otherwise`, and none is made.
 */
export async function readStore<Value>(
	place: Place,
	use: (store: Store) => Promise<Value>,
	otherwise: () => Value,
): Promise<Value> {
	requireSqlite();
	if (!hasStore(place)) return otherwise();
	const { store: folder } = place;
	const database = await Database.open({ folder, host: null, workerFile: findWorkerFile(), logger: stderrLogger });
	try {
		return await use({ database, control: readingControl(database), transcripts: new Transcripts(database) });
	} finally {
		await database.close();
	}
}

export function noSuchRun(word: string): never {
	throw new ProblemError({ code: "run.notFound", message: `There is no run ${word} in this workspace.` });
}

/** Only for its questions: what it would change needs a host. */
function readingControl(database: Database): SessionControl {
	return new SessionControl({
		database,
		clock: systemClock,
		dayBudget: async () => undefined,
		defaultModel: () => Promise.resolve(""),
		stopHere: () => false,
		onChanged: () => undefined,
		onEnded: () => Promise.resolve(),
		unresponsive: () => new Set(),
		onHostEnded: () => Promise.resolve(),
	});
}

export function requireSqlite(): void {
	if (isBuiltin("node:sqlite")) return;
	const message = `This needs Node 22.13 or newer, which brings SQLite along; this is ${process.version}. “muster check” and “muster explain” work here.`;
	throw new ProblemError({ code: "store.noSqlite", message });
}

/** Beside the built command line or its chunks; from the sources, where it is written. */
export function findWorkerFile(): URL {
	const places = ["databaseWorker.js", "../databaseWorker.js", "../core/store/databaseWorker.ts"];
	const found = places.map((place) => new URL(place, import.meta.url)).find((url) => existsSync(fileURLToPath(url)));
	if (!found) throw new BugError("The store's worker is not beside the command line");
	return found;
}
