import type { Run } from "../runs/run.ts";
import { isTerminal } from "../runs/runState.ts";
import type { QueueFacts } from "../store/lanes.ts";
import { explainWait } from "./explainWait.ts";

/** Why each queued run of a list has not started, by its id, and of whom nothing is heard. What is about to start is not in it. */
export function waitReasons(
	runs: readonly Run[],
	facts: QueueFacts,
	here: {
		readonly hostId: string;
		readonly at: number;
		/** What is said of hosts that do not answer. */
		readonly unanswered: ReadonlyMap<string, string>;
	},
): ReadonlyMap<string, string> {
	const executing = runs.filter(({ state }) => state !== "queued" && !isTerminal(state));
	const busy = new Set(executing.map(({ sessionId }) => sessionId));
	const reasons = new Map<string, string>();
	for (const run of runs) {
		const isSessionBusy = busy.has(run.sessionId) || runs.some((other) => isBefore(other, run));
		const isOpen = !isTerminal(run.state) && run.hold !== "parked";
		const silence = isOpen ? here.unanswered.get(run.hostId) : undefined;
		const reason = silence ?? explainWait(run, facts, { ...here, isSessionBusy });
		if (reason !== null) reasons.set(run.id, reason);
	}
	return reasons;
}

/** Whether `other` goes first in the same session. */
function isBefore(other: Run, run: Run): boolean {
	if (other.sessionId !== run.sessionId || other.state !== "queued" || other.hold !== null) return false;
	return other.priority > run.priority || (other.priority === run.priority && other.place < run.place);
}
