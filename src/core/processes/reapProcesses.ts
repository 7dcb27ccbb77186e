import type { Clock } from "../ports/clock.ts";
import { findOrphans, findProcesses, type FoundProcess } from "./findProcesses.ts";
import { forgetAbandoned, type GroupRecord, listAbandoned } from "./groupRecords.ts";
import { signalProcess } from "./signalProcess.ts";

export const firstLookMs = 10;
export const longestLookMs = 160;
/** Who forks faster than it is killed gets this many more chances. */
export const maxRounds = 10;
/** A process that was killed and still does not die is stuck in the kernel, and nobody can do more. */
const maxLooks = 200;

/** Ends what carries one of the markers, and names it. Resolves when that is dead. */
export async function reapMarked(markers: ReadonlySet<string>, clock: Clock): Promise<readonly FoundProcess[]> {
	const reaped = new Map<number, FoundProcess>();
	await killAll(() => findProcesses({ markers }), reaped);
	await untilDead(reaped, clock);
	return [...reaped.values()];
}

/**
 * Ends what is left of the groups on record whose owner has died: SIGKILL lets nobody tidy up. Servers that behave have
 * ended when their pipe did; the others are asked, and after a time forced. Told on Linux only; elsewhere nothing is found.
 */
export async function reapAbandoned(
	storeFolder: string,
	clock: Clock,
	graceMs: number,
): Promise<readonly FoundProcess[]> {
	const abandoned = listAbandoned(storeFolder);
	if (abandoned.length === 0) return [];
	const reaped = new Map<number, FoundProcess>();
	await askAll(abandoned, reaped, { clock, graceMs });
	await killAll(() => findOrphans(abandoned), reaped);
	await untilDead(reaped, clock);
	forgetAbandoned(storeFolder, abandoned);
	return [...reaped.values()];
}

/** Asks each to end, once, and waits until all have or the time is over. */
async function askAll(
	abandoned: readonly GroupRecord[],
	asked: Map<number, FoundProcess>,
	{ clock, graceMs }: { readonly clock: Clock; readonly graceMs: number },
): Promise<void> {
	const deadline = clock.now() + graceMs;
	for (let pause = firstLookMs; ; pause = Math.min(pause * 2, longestLookMs)) {
		const found = await findOrphans(abandoned);
		for (const each of found.filter(({ pid }) => !asked.has(pid))) {
			// What is stopped could not hear it.
			if (signalProcess(each.pid, "SIGTERM") && signalProcess(each.pid, "SIGCONT")) asked.set(each.pid, each);
		}
		if (found.length === 0 || clock.now() >= deadline) return;
		await new Promise<void>((resolve) => void clock.after(pause, resolve));
	}
}

async function killAll(find: () => Promise<readonly FoundProcess[]>, killed: Map<number, FoundProcess>): Promise<void> {
	for (let round = 0; round < maxRounds; round++) {
		const found = await find();
		if (found.length === 0) return;
		for (const each of found) {
			// One that is dying is seen again, and has lost its name by then.
			if (signalProcess(each.pid, "SIGKILL") && !killed.has(each.pid)) killed.set(each.pid, each);
		}
	}
}

/** One that is dying has lost its environment, and with it its marker, a moment before it is dead. */
async function untilDead(reaped: ReadonlyMap<number, FoundProcess>, clock: Clock): Promise<void> {
	const pids = new Set(reaped.keys());
	for (let look = 0; look < maxLooks && pids.size > 0; look++) {
		if ((await findProcesses({ pids })).length === 0) return;
		await new Promise<void>((resolve) => void clock.after(firstLookMs, resolve));
	}
}
