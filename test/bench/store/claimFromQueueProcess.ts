import fs from "node:fs";
import path from "node:path";
import { answer, readInput } from "../measure.ts";
import { quantile } from "../median.ts";
import { withTemporaryFolder } from "../temporaryFolder.ts";
import { openLog } from "./appendLog.ts";
import type { StoreContestant } from "./contestants.ts";
import { anEnd, newRun } from "./newRun.ts";
import { openMuster } from "./openMuster.ts";
import { openThinTable } from "./thinTable.ts";

export interface ClaimInput {
	readonly contestant: StoreContestant;
	/** A store with its queue; it is copied first, since this process takes from it. */
	readonly folder: string;
	readonly runs: number;
	readonly turns: number;
	readonly hostId: string;
	readonly workerFile: string;
}

export interface Claimed {
	readonly p50: number;
}

interface Queue {
	/** Ends the run that has executed longest and starts the next. */
	turn(): Promise<void>;
	close(): void | Promise<void>;
}

const openers: Readonly<Record<StoreContestant, (folder: string) => Promise<Queue>>> = {
	async floor(folder) {
		const log = openLog(folder);
		const queued = Array.from({ length: input.runs }, (_, n) => newRun(`run_${n}`, input.hostId, n));
		let next = 0;
		return {
			async turn() {
				await log.append(anEnd(queued[next++]?.id ?? "", next));
				await log.append({ id: queued[next]?.id, state: "running" });
			},
			close: () => log.close(),
		};
	},
	async thin(folder) {
		const table = await openThinTable(folder);
		let next = 0;
		return {
			async turn() {
				await table.write({ kind: "finish", id: `run_${String(next++).padStart(8, "0")}` });
				await table.write({ kind: "claim" });
			},
			close: () => table.close(),
		};
	},
	async muster(folder) {
		const database = await openMuster({ ...input, folder });
		const claim = () => database.call("claimRuns", { hostId: database.hostId, passOver: [], at: Date.now() });
		const executing = (await claim()).started.map(({ id }) => id);
		return {
			async turn() {
				await database.call("endRun", anEnd(executing.shift() ?? "", Date.now()));
				const { started } = await claim();
				if (started.length !== 1) throw new Error(`The end of one run let ${started.length} start`);
				executing.push(...started.map(({ id }) => id));
			},
			close: () => database.close(),
		};
	},
};

const input = readInput<ClaimInput>();
await withTemporaryFolder(async (folder) => {
	for (const name of ["muster.db", "thin.db"]) fs.copyFileSync(path.join(input.folder, name), path.join(folder, name));
	const queue = await openers[input.contestant](folder);
	const times: number[] = [];
	for (let turn = -5; turn < input.turns; turn++) {
		const start = performance.now();
		await queue.turn();
		if (turn >= 0) times.push(performance.now() - start);
	}
	await queue.close();
	answer({ p50: quantile(times, 0.5) } satisfies Claimed);
});
