import { effect, type ReadonlySignal, signal } from "@preact/signals";

/** The host's time. It moves once a second while something is live and stands still otherwise. */
export class HostClock {
	readonly #now = signal(Date.now());
	#aheadMs = 0;

	readonly now: ReadonlySignal<number> = this.#now;

	/** Takes over the host's clock; the browser's own may be minutes off. */
	set(hostNow: number): void {
		this.#aheadMs = hostNow - Date.now();
		this.#tick();
	}

	tickWhile(isLive: ReadonlySignal<boolean>): void {
		effect(() => {
			if (!isLive.value) return;
			this.#tick();
			const timer = setInterval(() => this.#tick(), 1000);
			return () => clearInterval(timer);
		});
	}

	#tick(): void {
		this.#now.value = Date.now() + this.#aheadMs;
	}
}
