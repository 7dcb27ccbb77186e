/**
 * VS Code asks the person before an extension uses a model for the first time, once for every request that comes before
 * the answer. So the first request of a model goes alone, and those that come meanwhile share what was said to it.
 */
export class Consents {
	readonly #given = new Set<string>();
	readonly #asking = new Map<string, Promise<unknown>>();

	async ask<Value>(model: string, send: () => Promise<Value>): Promise<Value> {
		if (this.#given.has(model)) return send();
		const asking = this.#asking.get(model);
		if (asking) {
			// Who waits shares a refusal; after a yes all go on at once.
			await asking;
			return this.ask(model, send);
		}
		const asked = send();
		this.#asking.set(model, asked);
		try {
			const value = await asked;
			this.#given.add(model);
			return value;
		} finally {
			this.#asking.delete(model);
		}
	}
}
