import type { RunRow } from "../../src/protocol/panel.ts";
import { isLive, runStates } from "./runStates.ts";

/**
 * The order of the list: unfinished first, by who needs the user most, then the newest ended.
 * Unfinished ones of one state keep the order they came in, so that a new one never pushes the others.
 */
export function compareRuns(a: RunRow, b: RunRow): number {
	return (
		runStates[a.state].rank - runStates[b.state].rank ||
		(isLive(a) ? compareLive(a, b) : (b.endedAt ?? 0) - (a.endedAt ?? 0)) ||
		(a.runId < b.runId ? -1 : Number(a.runId > b.runId))
	);
}

function compareLive(a: RunRow, b: RunRow): number {
	return (a.queuePosition ?? 0) - (b.queuePosition ?? 0) || (a.startedAt ?? a.queuedAt) - (b.startedAt ?? b.queuedAt);
}
