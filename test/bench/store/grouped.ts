/** Group commit over anything that commits a batch: what arrives while one is on its way becomes the next. */
export function grouped<Item>(commit: (batch: readonly Item[]) => Promise<void>): (item: Item) => Promise<void> {
	let waiting: { readonly item: Item; readonly done: (committed: Promise<void>) => void }[] = [];
	let isBusy = false;
	const pump = async () => {
		if (isBusy) return;
		isBusy = true;
		while (waiting.length > 0) {
			const batch = waiting;
			waiting = [];
			const committed = commit(batch.map(({ item }) => item));
			for (const { done } of batch) done(committed);
			await committed;
		}
		isBusy = false;
	};
	return (item) =>
		new Promise<void>((resolve, reject) => {
			waiting.push({ item, done: (committed) => void committed.then(resolve, reject) });
			queueMicrotask(() => void pump());
		});
}
