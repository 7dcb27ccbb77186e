import type { Clock } from "../ports/clock.ts";
import type { Lane } from "../runs/run.ts";
import type { Database } from "../store/database.ts";

export interface LaneCaps {
	readonly clock: Clock;
	/** How many subagents run at once, where this process has a say in it. */
	laneLimit?(): number;
	/** How many turns of main agents run at once, where this process has a say in it. */
	mainLaneLimit?(): number;
}

/** Writes what this process's settings say; every claim, of whatever process, reads it. */
export async function writeLaneCaps(database: Database, options: LaneCaps): Promise<void> {
	const caps: readonly [Lane, number | undefined][] = [
		["subagent", options.laneLimit?.()],
		["main", options.mainLaneLimit?.()],
	];
	for (const [lane, cap] of caps) {
		if (cap !== undefined) await database.call("setLaneCap", { lane, cap, at: options.clock.now() });
	}
}
