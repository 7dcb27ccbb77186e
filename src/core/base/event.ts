import type { Disposable } from "./disposable.ts";

/** Has the shape of `vscode.Event`. */
export type Event<T> = (listener: (value: T) => unknown) => Disposable;

/** Tells listeners about facts. A listener that throws is reported, and the others still hear. */
export class Emitter<T> implements Disposable {
	readonly #listeners = new Set<{ readonly call: (value: T) => unknown }>();
	readonly #onListenerError: (error: unknown) => void;

	constructor(onListenerError: (error: unknown) => void) {
		this.#onListenerError = onListenerError;
	}

	readonly event: Event<T> = (listener) => {
		const entry = { call: listener };
		this.#listeners.add(entry);
		return { dispose: () => void this.#listeners.delete(entry) };
	};

	fire(value: T): void {
		for (const listener of Array.from(this.#listeners)) {
			try {
				listener.call(value);
			} catch (error) {
				this.#onListenerError(error);
			}
		}
	}

	dispose(): void {
		this.#listeners.clear();
	}
}
