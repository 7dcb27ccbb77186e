import type { Run } from "../runs/run.ts";

/**
 * What this process holds of a run while it executes: the way to stop it, and who waits for it to get its slot back. The
 * record in the store is the truth; this only acts on it.
 */
export class LiveRun {
	readonly id: string;
	readonly sessionId: string;
	readonly #stop = new AbortController();
	readonly stop: AbortSignal = this.#stop.signal;
	#waiting: (() => void)[] = [];
	/** Whether its model has been told how its children are. */
	knowsStatus = false;
	/** Why it was stopped, for the transcript. */
	stopReason = "Stopped.";

	constructor(run: Pick<Run, "id" | "sessionId">) {
		this.id = run.id;
		this.sessionId = run.sessionId;
	}

	requestStop(reason?: string): void {
		if (reason !== undefined && !this.stop.aborted) this.stopReason = reason;
		this.#stop.abort();
		this.resumed();
	}

	/** The store has given it a slot again. */
	resumed(): void {
		const waiting = this.#waiting;
		this.#waiting = [];
		for (const resolve of waiting) resolve();
	}

	/** Resolves when it has its slot back, or was stopped. To be called before the store is asked to let it go on. */
	untilResumed(): Promise<void> {
		if (this.stop.aborted) return Promise.resolve();
		return new Promise((resolve) => this.#waiting.push(resolve));
	}
}
