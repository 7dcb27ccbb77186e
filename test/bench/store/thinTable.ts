import { Worker } from "node:worker_threads";
import { grouped } from "./grouped.ts";

/** Each is one write in the transaction of its batch. */
export type ThinWrite =
	| { readonly kind: "accept"; readonly id: string; readonly body: string }
	/** The end of a run, and the start of the next. */
	| { readonly kind: "finish"; readonly id: string }
	| { readonly kind: "claim" };

export type ToThinWorker =
	| { readonly kind: "write"; readonly writes: readonly ThinWrite[] }
	| { readonly kind: "list"; readonly limit: number }
	| { readonly kind: "close" };

/** What SQLite in a worker costs by itself: one table that knows no sessions, events, transcripts or caps. */
export interface ThinTable {
	write(write: ThinWrite): Promise<void>;
	/** The newest runs. */
	list(limit: number): Promise<readonly unknown[]>;
	close(): Promise<void>;
}

export async function openThinTable(folder: string): Promise<ThinTable> {
	const worker = new Worker(new URL("thinTableWorker.ts", import.meta.url), { workerData: { folder } });
	const exited = new Promise<void>((resolve) => worker.once("exit", () => resolve()));
	const hear = () =>
		new Promise<unknown>((resolve, reject) => {
			worker.once("message", resolve);
			worker.once("error", reject);
		});
	const ask = (message: ToThinWorker) => {
		const heard = hear();
		worker.postMessage(message);
		return heard;
	};
	worker.setMaxListeners(0);
	await hear();
	return {
		write: grouped(async (writes: readonly ThinWrite[]) => void (await ask({ kind: "write", writes }))),
		list: async (limit) => (await ask({ kind: "list", limit })) as readonly unknown[],
		async close() {
			worker.postMessage({ kind: "close" } satisfies ToThinWorker);
			await exited;
		},
	};
}
