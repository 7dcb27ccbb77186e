import type { Run } from "../runs/run.ts";
import type { RunEvent } from "../runs/runEvent.ts";
import type { Database } from "../store/database.ts";
import type { Clock } from "../ports/clock.ts";

export interface LaneSchedulerOptions {
	readonly database: Database;
	readonly clock: Clock;
	readonly hostId: string;
	/** Read at each claim, so that a changed setting holds from the next start. */
	limit(): number;
	/** Called for each run that has started. Must not throw. */
	start(runs: readonly Run[], events: readonly RunEvent[]): void;
	onError(error: unknown): void;
}

/** Starts queued runs of the subagent lane whenever there is room. The decision is the store's; this only asks in time. */
export class LaneScheduler {
	readonly #options: LaneSchedulerOptions;
	#isAsking = false;
	#mustAskAgain = false;

	constructor(options: LaneSchedulerOptions) {
		this.#options = options;
	}

	/** To be called whenever a run was accepted, resumed or has ended, here or in another process. */
	wake(): void {
		if (this.#isAsking) {
			this.#mustAskAgain = true;
			return;
		}
		void this.#ask();
	}

	async #ask(): Promise<void> {
		const { database, clock, hostId } = this.#options;
		this.#isAsking = true;
		try {
			do {
				this.#mustAskAgain = false;
				const { runs, events } = await database.call("claimRuns", {
					hostId,
					lane: "subagent",
					limit: this.#options.limit(),
					at: clock.now(),
				});
				this.#options.start(runs, events);
			} while (this.#mustAskAgain);
		} catch (error) {
			this.#options.onError(error);
		} finally {
			this.#isAsking = false;
		}
	}
}
