import type { Disposable } from "../base/disposable.ts";
import type { Clock } from "../ports/clock.ts";
import type { Database } from "../store/database.ts";
import type { LostHost } from "../store/hosts.ts";

/** How soon another process's death is looked for. */
const lookMs = 1_000;

export interface HostWatchOptions {
	readonly database: Database;
	readonly clock: Clock;
	readonly hostId: string;
	/** Whether there is anything that another process could leave behind or ask for. */
	isNeeded(): boolean;
	/** Called after each look; `lost` is what dead hosts left. */
	onLook(lost: readonly LostHost[]): Promise<void>;
	onError(error: unknown): void;
}

/** Looks after the other processes on this store: when one dies, what it left is settled by whoever notices first. */
export class HostWatch implements Disposable {
	readonly #options: HostWatchOptions;
	#timer: Disposable | undefined;
	#isDisposed = false;

	constructor(options: HostWatchOptions) {
		this.#options = options;
	}

	/** Settles what dead hosts left. Everybody may; the store makes it once. */
	async sweep(): Promise<LostHost[]> {
		const { database, clock, hostId } = this.#options;
		const hosts = await database.call("listHosts");
		const others = hosts.filter(({ id }) => id !== hostId);
		const isAlive = await Promise.all(others.map(({ id }) => database.isHostAlive(id)));
		const dead = others.filter((_, index) => !isAlive[index]);
		return Promise.all(dead.map(({ id }) => database.call("loseHost", { hostId: id, at: clock.now() })));
	}

	/** Looks soon, and again while it is needed. */
	lookSoon(): void {
		if (this.#isDisposed) return;
		this.#timer ??= this.#options.clock.after(lookMs, () => void this.#look());
	}

	dispose(): void {
		this.#isDisposed = true;
		this.#timer?.dispose();
	}

	async #look(): Promise<void> {
		this.#timer = undefined;
		try {
			await this.#options.onLook(await this.sweep());
		} catch (error) {
			if (!this.#isDisposed) this.#options.onError(error);
		}
		if (this.#options.isNeeded()) this.lookSoon();
	}
}
