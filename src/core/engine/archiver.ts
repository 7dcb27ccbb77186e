import type { Disposable } from "../base/disposable.ts";
import { messageOf } from "../base/errors.ts";
import type { Clock } from "../ports/clock.ts";
import type { Logger } from "../ports/logger.ts";
import type { Run } from "../runs/run.ts";
import type { Database } from "../store/database.ts";

const everyMs = 60_000;

export interface ArchiverOptions {
	readonly database: Database;
	readonly clock: Clock;
	readonly logger: Logger;
	/** How long ended runs stay in the lists; 0 = for ever. Read each time, so that a change holds at once. */
	afterMinutes(): Promise<number>;
	onArchived(runs: readonly Run[]): void;
}

/** Takes runs out of the lists some time after they have ended and been announced. */
export class Archiver implements Disposable {
	readonly #options: ArchiverOptions;
	#timer: Disposable | undefined;
	#isDisposed = false;

	constructor(options: ArchiverOptions) {
		this.#options = options;
	}

	start(): void {
		if (!this.#isDisposed) this.#timer = this.#options.clock.after(everyMs, () => void this.#archive());
	}

	dispose(): void {
		this.#isDisposed = true;
		this.#timer?.dispose();
	}

	async #archive(): Promise<void> {
		const { database, clock, logger } = this.#options;
		try {
			const minutes = await this.#options.afterMinutes();
			const at = clock.now();
			if (minutes > 0) {
				this.#options.onArchived(await database.call("archiveRuns", { before: at - minutes * 60_000, at }));
			}
		} catch (error) {
			if (!this.#isDisposed) logger.error(`Ended runs could not be archived: ${messageOf(error)}`);
		}
		this.start();
	}
}
