import { composeAnnouncement } from "../announce/announcement.ts";
import type { Run } from "../runs/run.ts";
import type { RunEvent } from "../runs/runEvent.ts";
import type { Database } from "../store/database.ts";

export interface Recovery {
	/** Ended `lost`: they were executing when their process died. */
	readonly lost: readonly Run[];
	/** Not started yet; they wait for someone to resume them. */
	readonly parked: readonly Run[];
	readonly events: readonly RunEvent[];
}

/**
 * Finds runs whose process is gone: one that was executing ends `lost`, once; one that was queued is parked. Nothing is
 * started again by itself, because what a dead run had already done is not known.
 */
export async function recoverRuns(database: Database, hostId: string, at: number): Promise<Recovery> {
	const orphans = await findOrphans(database, hostId);
	const executing = orphans.filter((run) => run.state !== "queued");
	const queued = orphans.filter((run) => run.state === "queued" && run.hold === null);
	const [ended, parked] = await Promise.all([
		Promise.all(executing.map((run) => loseRun(database, run, at))),
		database.call("parkRuns", { runIds: queued.map((run) => run.id) }),
	]);
	return { lost: ended.map(({ run }) => run), parked, events: ended.flatMap(({ events }) => events) };
}

async function findOrphans(database: Database, hostId: string): Promise<Run[]> {
	const foreign = await database.call("listForeignLiveRuns", { hostId });
	const hosts = [...new Set(foreign.map((run) => run.hostId))];
	const isAlive = await Promise.all(hosts.map((host) => database.isHostAlive(host)));
	const dead = new Set(hosts.filter((_, index) => !isAlive[index]));
	return foreign.filter((run) => dead.has(run.hostId));
}

function loseRun(database: Database, run: Run, at: number) {
	const error = "The process that executed it ended. What it had done until then is in its transcript.";
	const result = { state: "lost", usage: run.usage, summary: null, error, at } as const;
	return database.call("endRun", { runId: run.id, ...result, announcement: composeAnnouncement(run, result) });
}
