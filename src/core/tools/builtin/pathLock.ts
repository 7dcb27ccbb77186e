/** Held by whoever reads, changes and writes a file; for the whole process, as the file is there for all runs. */
const holders = new Map<string, Promise<unknown>>();

/** Runs one action after the other on the same path, in the order in which they came. */
export async function withPathLock<T>(path: string, action: () => Promise<T>): Promise<T> {
	const before = holders.get(path);
	const own = before === undefined ? action() : before.then(action, action);
	holders.set(path, own);
	try {
		return await own;
	} finally {
		if (holders.get(path) === own) holders.delete(path);
	}
}
