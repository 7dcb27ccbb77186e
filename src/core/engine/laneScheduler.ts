import type { Disposable } from "../base/disposable.ts";
import type { Clock } from "../ports/clock.ts";
import type { Claim } from "../store/claimRuns.ts";
import type { Database } from "../store/database.ts";

/** A host that leaves a slot unused for so long does not answer, and holds nobody up any more. */
const patienceMs = 2_000;

export interface LaneSchedulerOptions {
	readonly database: Database;
	readonly clock: Clock;
	/** Called with what may start or go on. Must not throw. */
	start(claim: Claim): void;
	onError(error: unknown): void;
}

/** Starts queued runs whenever there is room. The decision is the store's; this only asks in time. */
export class LaneScheduler implements Disposable {
	readonly #options: LaneSchedulerOptions;
	/** Since when a slot has been kept free for a run of another host. */
	readonly #reservedSince = new Map<string, { readonly hostId: string; readonly since: number }>();
	#isAsking = false;
	#mustAskAgain = false;
	#isDisposed = false;
	#timer: Disposable | undefined;

	constructor(options: LaneSchedulerOptions) {
		this.#options = options;
	}

	/** To be called whenever a run was accepted, resumed or has ended, here or in another process. */
	wake(): void {
		if (this.#isDisposed) return;
		if (this.#isAsking) this.#mustAskAgain = true;
		else void this.#ask();
	}

	/** The hosts that do not take what is theirs. */
	get unresponsive(): ReadonlySet<string> {
		const before = this.#options.clock.now() - patienceMs;
		const late = [...this.#reservedSince.values()].filter(({ since }) => since <= before);
		return new Set(late.map(({ hostId }) => hostId));
	}

	dispose(): void {
		this.#isDisposed = true;
		this.#timer?.dispose();
	}

	async #ask(): Promise<void> {
		const { database, clock } = this.#options;
		this.#isAsking = true;
		try {
			do {
				this.#mustAskAgain = false;
				if (database.readOnly !== null) return;
				const passOver = [...this.unresponsive];
				const claim = await database.call("claimRuns", { hostId: database.hostId, passOver, at: clock.now() });
				this.#options.start(claim);
				await this.#hearOf(claim);
				this.#remember(claim);
			} while (this.#mustAskAgain && !this.#isDisposed);
		} catch (error) {
			if (!this.#isDisposed) this.#options.onError(error);
		} finally {
			this.#isAsking = false;
		}
	}

	/** A host that does anything again answers. */
	async #hearOf({ reserved }: Claim): Promise<void> {
		const { unresponsive } = this;
		for (const [runId, { hostId, since }] of this.#reservedSince) {
			if (!unresponsive.has(hostId) || reserved.some((run) => run.runId === runId)) continue;
			const isLeft = await this.#options.database.call("isLeftWaiting", { runId, hostId, since });
			if (!isLeft) this.#reservedSince.delete(runId);
		}
	}

	#remember({ reserved, lookAgainAt }: Claim): void {
		const now = this.#options.clock.now();
		const waiting = new Set(reserved.map(({ runId }) => runId));
		for (const [runId, { hostId }] of this.#reservedSince) {
			if (!waiting.has(runId) && !this.unresponsive.has(hostId)) this.#reservedSince.delete(runId);
		}
		for (const { runId, hostId } of reserved) {
			if (!this.#reservedSince.has(runId)) this.#reservedSince.set(runId, { hostId, since: now });
		}
		const times = [lookAgainAt ?? Infinity, reserved.length > 0 ? now + patienceMs : Infinity];
		this.#timer?.dispose();
		this.#timer = undefined;
		const next = Math.min(...times);
		if (next < Infinity && !this.#isDisposed) {
			this.#timer = this.#options.clock.after(Math.max(0, next - now), () => this.wake());
		}
	}
}
