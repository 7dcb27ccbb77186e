import type { RunRow, RunState } from "../../src/protocol/panel.ts";
import type { IconName } from "../iconNames.ts";

export type RunGroup = "active" | "failed" | "finished";

export interface RunStateLook {
	readonly word: string;
	readonly icon: IconName;
	readonly group: RunGroup;
	/** Place in the list: who waits for the user comes first, what has ended last. */
	readonly rank: number;
}

const ended = 4;

/** How each state reads, looks and sorts; the one place that knows. */
export const runStates: Readonly<Record<RunState, RunStateLook>> = {
	waiting_approval: { word: "waiting for you", icon: "bell-dot", group: "active", rank: 0 },
	running: { word: "running", icon: "loading", group: "active", rank: 1 },
	waiting_children: { word: "waiting for children", icon: "type-hierarchy-sub", group: "active", rank: 2 },
	queued: { word: "queued", icon: "clockface", group: "active", rank: 3 },
	ok: { word: "ok", icon: "pass", group: "finished", rank: ended },
	partial: { word: "partial", icon: "warning", group: "finished", rank: ended },
	canceled: { word: "stopped", icon: "circle-slash", group: "finished", rank: ended },
	error: { word: "error", icon: "error", group: "failed", rank: ended },
	timeout: { word: "timed out", icon: "watch", group: "failed", rank: ended },
	lost: { word: "lost", icon: "debug-disconnect", group: "failed", rank: ended },
};

export function isLive(run: RunRow): boolean {
	return runStates[run.state].group === "active";
}
