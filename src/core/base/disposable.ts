/** Has the shape of `vscode.Disposable`, so that the shell needs no bridge. */
export interface Disposable {
	dispose(): void;
}

/** Owns disposables and releases them in reverse order. What is added after disposal is released at once. */
export class DisposableStore implements Disposable {
	readonly #items: Disposable[] = [];
	#isDisposed = false;

	get isDisposed(): boolean {
		return this.#isDisposed;
	}

	add<T extends Disposable>(item: T): T {
		if (this.#isDisposed) item.dispose();
		else this.#items.push(item);
		return item;
	}

	/** Releases everything, even when one release throws; the failures come out together at the end. */
	dispose(): void {
		if (this.#isDisposed) return;
		this.#isDisposed = true;
		const failures: unknown[] = [];
		for (const item of this.#items.splice(0).toReversed()) {
			try {
				item.dispose();
			} catch (error) {
				failures.push(error);
			}
		}
		if (failures.length > 0) throw new AggregateError(failures, "Some resources could not be released");
	}
}
