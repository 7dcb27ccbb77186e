import { monitorEventLoopDelay } from "node:perf_hooks";
import { createId } from "../../../src/core/base/ids.ts";
import { answer, readInput } from "../measure.ts";
import { quantile } from "../median.ts";
import { withTemporaryFolder } from "../temporaryFolder.ts";
import { openLog } from "./appendLog.ts";
import type { StoreContestant } from "./contestants.ts";
import { newRun } from "./newRun.ts";
import { openMuster } from "./openMuster.ts";
import { openThinTable } from "./thinTable.ts";

interface Input {
	readonly contestant: StoreContestant;
	readonly callers: number;
	readonly calls: number;
	readonly workerFile: string;
}

export interface Accepted {
	readonly p50: number;
	readonly delayP99: number;
}

interface Store {
	accept(): Promise<unknown>;
	close(): void | Promise<void>;
}

const openers: Readonly<Record<StoreContestant, (folder: string) => Store | Promise<Store>>> = {
	floor(folder) {
		const log = openLog(folder);
		return { accept: () => log.append(newRun(createId("run"), "hst_1", Date.now())), close: () => log.close() };
	},
	async thin(folder) {
		const table = await openThinTable(folder);
		return {
			accept() {
				const run = newRun(createId("run"), "hst_1", Date.now());
				return table.write({ kind: "accept", id: run.id, body: JSON.stringify(run) });
			},
			close: () => table.close(),
		};
	},
	async muster(folder) {
		const database = await openMuster({ workerFile: input.workerFile, folder });
		return {
			accept: () => database.call("acceptRun", newRun(createId("run"), database.hostId, Date.now())),
			close: () => database.close(),
		};
	},
};

const input = readInput<Input>();
await withTemporaryFolder(async (folder) => {
	const store = await openers[input.contestant](folder);
	await acceptAll(store, Math.ceil(input.calls / 4));
	// A number of calls and not a time: a queue that grows longer costs more, and must not on faster machines only.
	const delay = monitorEventLoopDelay({ resolution: 1 });
	delay.enable();
	const times = await acceptAll(store, input.calls);
	delay.disable();
	await store.close();
	const delayP99 = delay.percentile(99) / 1e6;
	answer({ p50: quantile(times, 0.5), delayP99 } satisfies Accepted);
});

/** Every caller asks again as soon as it is answered. */
async function acceptAll(store: Store, calls: number): Promise<number[]> {
	const times: number[] = [];
	let begun = 0;
	const call = async () => {
		while (begun < calls) {
			begun++;
			const start = performance.now();
			await store.accept();
			times.push(performance.now() - start);
		}
	};
	await Promise.all(Array.from({ length: input.callers }, call));
	return times;
}
