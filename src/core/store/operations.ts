import { endHost, registerHost } from "./hosts.ts";
import { readEvents } from "./events.ts";
import { deliverAnnouncement, listUndelivered } from "./outbox.ts";
import { acceptRun, claimRuns, endRun, getRun, listForeignLiveRuns, listRuns, parkRuns, unparkRuns } from "./runs.ts";
import { findSession } from "./sessions.ts";
import type { Sql } from "./sql.ts";
import { appendToLiveRun, readEntries } from "./transcripts.ts";

/** Everything that can be asked of the store. Each is atomic: all of it is committed before its answer is given. */
export const operations = {
	registerHost,
	endHost,
	acceptRun,
	claimRuns,
	endRun,
	parkRuns,
	unparkRuns,
	getRun,
	listRuns,
	listForeignLiveRuns,
	appendToLiveRun,
	readEntries,
	readEvents,
	findSession,
	listUndelivered,
	deliverAnnouncement,
} as const;

export type OperationName = keyof typeof operations;
type Operation<Name extends OperationName> = (typeof operations)[Name];
export type OperationInput<Name extends OperationName> =
	Parameters<Operation<Name>> extends [Sql, infer Input] ? Input : undefined;
export type OperationOutput<Name extends OperationName> = ReturnType<Operation<Name>>;
