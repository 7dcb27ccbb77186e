import type { Disposable } from "../base/disposable.ts";
import type { Clock } from "../ports/clock.ts";
import type { Database } from "../store/database.ts";
import type { LostHost } from "../store/hosts.ts";
import type { Dispossession } from "../store/workerProtocol.ts";

/** How soon another process's death is looked for. */
const lookMs = 1_000;

export interface HostWatchOptions {
	readonly database: Database;
	readonly clock: Clock;
	/** Whether there is anything that another process could leave behind or ask for. */
	isNeeded(): boolean;
	/** Called after each look; `lost` is what dead hosts left. */
	onLook(lost: readonly LostHost[]): Promise<void>;
	/** Ends everything that this host executes: it is not its own any more. */
	letGo(): void;
	onError(error: unknown): void;
}

/**
 * Looks after the other processes on this store: when one dies, what it left is settled by whoever notices first. Where
 * they have taken this one for dead, it lets go of its runs and goes on as a new host.
 */
export class HostWatch implements Disposable {
	readonly #options: HostWatchOptions;
	readonly #listener: Disposable;
	#timer: Disposable | undefined;
	#isDisposed = false;

	constructor(options: HostWatchOptions) {
		this.#options = options;
		this.#listener = options.database.onDidGetDispossessed((why) => void this.#beginAnew(why));
	}

	/** Settles what dead hosts left. Everybody may; the store makes it once. */
	async sweep(): Promise<LostHost[]> {
		const { database, clock } = this.#options;
		const hosts = await database.call("listHosts");
		const others = hosts.filter(({ id }) => id !== database.hostId);
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
		this.#listener.dispose();
		this.#timer?.dispose();
	}

	async #beginAnew(why: Dispossession): Promise<void> {
		const { database, clock } = this.#options;
		this.#options.letGo();
		try {
			if (why === "fenced") await database.registerAnew(clock.now());
			await this.#options.onLook(why === "fenced" ? await this.sweep() : []);
		} catch (error) {
			if (!this.#isDisposed) this.#options.onError(error);
		}
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
