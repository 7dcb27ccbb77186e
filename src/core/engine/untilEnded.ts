import type { Clock } from "../ports/clock.ts";
import type { Run } from "../runs/run.ts";
import { isTerminal } from "../runs/runState.ts";
import type { RunRegistry } from "./runRegistry.ts";

/** The run once it has ended, or undefined when it has not in time. */
export function untilEnded(runs: RunRegistry, runId: string, clock: Clock, ms: number): Promise<Run | undefined> {
	return new Promise((resolve) => {
		const check = () => {
			const run = runs.get(runId);
			if (run && isTerminal(run.state)) done(run);
		};
		const listener = runs.onDidChange(check);
		const timer = clock.after(ms, () => done(undefined));
		function done(run: Run | undefined): void {
			listener.dispose();
			timer.dispose();
			resolve(run);
		}
		check();
	});
}
