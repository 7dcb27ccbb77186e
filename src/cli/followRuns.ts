import { systemClock } from "../core/ports/clock.ts";
import type { Run } from "../core/runs/run.ts";
import type { RunEvent } from "../core/runs/runEvent.ts";
import { isTerminal, type RunState } from "../core/runs/runState.ts";
import type { Runtime } from "../core/runtime.ts";
import type { Entry } from "../core/sessions/entry.ts";

/** Text comes down so often, and what other processes do is seen no sooner. */
const lookMs = 100;
const pageEntries = 500;

/** Who is told of what happens to runs. */
export interface Follower {
	onEvent(event: RunEvent, run: Run): void;
	/** Without it, transcripts are not read. */
	onEntry?(entry: Entry, run: Run): void;
}

export interface Followed {
	readonly run: Run;
	/** Whether it has just been accepted, so that everything about it is news. */
	readonly isNew: boolean;
}

interface Track {
	run: Run;
	shownEvents: number;
	lastEntry: number;
	end: RunState | null;
}

/**
 * Tells of these runs, whichever process executes them, until the end of each has been announced; gives their last states.
 * Everything told is read from the store, so it is durable.
 */
export async function followRuns(
	runtime: Runtime,
	followed: readonly Followed[],
	follower: Follower,
): Promise<readonly RunState[]> {
	const tracks = await Promise.all(followed.map((one) => begin(runtime, one)));
	for (;;) {
		// Before the look, so that nothing falls between it and the wait.
		const change = nextChange(runtime);
		const live = tracks.filter(({ end }) => end === null);
		const told = await Promise.all(live.map((track) => look(runtime, track, follower)));
		for (const { event, run } of told.flat().toSorted((a, b) => a.event.at - b.event.at)) follower.onEvent(event, run);
		if (tracks.every(({ end }) => end !== null)) return tracks.map(({ end }) => end ?? "lost");
		await change;
	}
}

/** Resolves when this host executes nothing more: a result that came in may have woken whom it was for. */
export async function untilIdle(runtime: Runtime, hostId: string): Promise<void> {
	const isBusy = () =>
		runtime.runs.list().some((run) => run.hostId === hostId && !isTerminal(run.state) && run.hold === null);
	while (isBusy()) await nextChange(runtime);
}

async function begin(runtime: Runtime, { run, isNew }: Followed): Promise<Track> {
	const track: Track = { run, shownEvents: 0, lastEntry: 0, end: null };
	if (isNew) return track;
	track.shownEvents = (await runtime.transcripts.readEvents(run.id)).length;
	await readEntries(runtime, track, () => undefined);
	return track;
}

/** Tells of new entries, and gives the new events. The events are read first, so the entries before an end are all there. */
async function look(runtime: Runtime, track: Track, follower: Follower): Promise<{ event: RunEvent; run: Run }[]> {
	const events = await runtime.transcripts.readEvents(track.run.id, track.shownEvents);
	track.shownEvents += events.length;
	if (events.length > 0) track.run = await runtime.control.find(track.run.id);
	const { run } = track;
	const ending = events.findIndex(({ type }) => type === "subagent.ended");
	const before = ending < 0 ? events : events.slice(0, ending);
	if (follower.onEntry) {
		for (const event of before) follower.onEvent(event, run);
		await readEntries(runtime, track, (entry) => follower.onEntry?.(entry, run));
	}
	for (const event of events) if (event.type === "subagent.announced") track.end = event.status;
	return (follower.onEntry ? events.slice(before.length) : events).map((event) => ({ event, run }));
}

async function readEntries(runtime: Runtime, track: Track, tell: (entry: Entry) => void): Promise<void> {
	for (;;) {
		const page = await runtime.transcripts.read(track.run, track.lastEntry, pageEntries);
		for (const entry of page) if (entry.runId === track.run.id) tell(entry);
		track.lastEntry = page.at(-1)?.seq ?? track.lastEntry;
		if (page.length < pageEntries) return;
	}
}

function nextChange(runtime: Runtime): Promise<void> {
	return new Promise((resolve) => {
		const done = () => {
			for (const one of waiting) one.dispose();
			resolve();
		};
		const waiting = [runtime.onEvent(done), runtime.runs.onDidChange(done), systemClock.after(lookMs, done)];
	});
}
