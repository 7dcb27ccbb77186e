import path from "node:path";
import { ProblemError } from "../base/errors.ts";
import { type Clock, systemClock } from "../ports/clock.ts";
import { fileStamp } from "./fileStamp.ts";
import { findLiveHost, holdHostLock, holdRepairLock, type Lock } from "./hostLock.ts";
import type { NewHost } from "./hosts.ts";
import { openDatabase, type OpenedDatabase } from "./openDatabase.ts";
import { describeHolder } from "./readOnly.ts";
import { setAside } from "./setAside.ts";
import { isDamage } from "./sqliteErrors.ts";

/** How long another process may take to set a damaged database aside. */
const repairPatienceMs = 10_000;
/** Who only begins to open the database finds the damage too, and lets go. */
const letGoPatienceMs = 1_000;
const letGoLookMs = 20;

export interface OpenedStore extends OpenedDatabase {
	/** The host's own; null for a reader. */
	readonly lock: Lock | null;
	readonly warning: string | null;
}

/**
 * Opens the database of `folder` and holds the host's lock. A damaged database that nobody works with is set aside, and
 * an empty one takes its place; while another host works with it, nothing is opened.
 */
export function openStore(folder: string, host: NewHost | null, clock: Clock = systemClock): OpenedStore {
	try {
		return open(folder, host, clock);
	} catch (error) {
		if (!isDamage(error)) throw error;
	}
	const repair = holdRepairLock(folder, repairPatienceMs);
	try {
		return openRepaired(folder, host, clock);
	} finally {
		repair.release();
	}
}

/** Under the lock of who repairs, so that nobody sets aside what another has just begun anew. */
function openRepaired(folder: string, host: NewHost | null, clock: Clock): OpenedStore {
	try {
		return open(folder, host, clock);
	} catch (error) {
		if (!isDamage(error)) throw error;
	}
	const holder = findHolder(folder);
	if (holder) {
		const message = `Muster's database is damaged, and ${describeHolder(holder)} still has it open. It has been left as it is: close that one first, then try again. (${path.join(folder, "muster.db")})`;
		throw new ProblemError({ code: "store.damaged", message });
	}
	const kept = setAside(folder, fileStamp(clock));
	const warning = `Muster's database was damaged. It was set aside as ${kept}, and an empty one was begun: the runs from before are only in that file.`;
	return { ...open(folder, host, clock), warning };
}

/** The lock before the database: who sees the row of a host must find it alive. */
function open(folder: string, host: NewHost | null, clock: Clock): OpenedStore {
	const lock = host && holdHostLock(folder, host);
	try {
		return { ...openDatabase(folder, { hostId: host?.hostId ?? null, clock }), lock, warning: null };
	} catch (error) {
		lock?.release();
		throw error;
	}
}

function findHolder(folder: string): ReturnType<typeof findLiveHost> {
	const sleeper = new Int32Array(new SharedArrayBuffer(4));
	for (let waited = 0; ; waited += letGoLookMs) {
		const holder = findLiveHost(folder);
		if (!holder || waited >= letGoPatienceMs) return holder;
		Atomics.wait(sleeper, 0, 0, letGoLookMs);
	}
}
