import fs from "node:fs";
import path from "node:path";
import { answer, readInput } from "../measure.ts";
import type { StoreContestant } from "./contestants.ts";
import { openMuster } from "./openMuster.ts";
import { openThinTable } from "./thinTable.ts";

export interface ListInput {
	readonly contestant: StoreContestant | "journal";
	readonly folder: string;
	readonly listed: number;
	readonly workerFile: string;
}

export interface Listed {
	readonly ms: number;
}

interface Line {
	readonly type: string;
	readonly run: unknown;
}

interface Opened {
	readonly runs: readonly unknown[];
	close(): Promise<void> | void;
}

const openers: Readonly<Record<ListInput["contestant"], () => Opened | Promise<Opened>>> = {
	floor: () => ({ runs: JSON.parse(read("snapshot.json")) as unknown[], close: () => undefined }),
	async thin() {
		const table = await openThinTable(input.folder);
		return { runs: await table.list(input.listed), close: () => table.close() };
	},
	async muster() {
		const database = await openMuster(input);
		const { runs } = await database.call("readRunList", { limit: input.listed });
		return { runs, close: () => database.close() };
	},
	journal() {
		const lines = read("journal.jsonl").trimEnd().split("\n");
		const runs = lines.flatMap((line) => {
			const { type, run } = JSON.parse(line) as Line;
			return type === "run" ? [run] : [];
		});
		return { runs: runs.slice(-input.listed), close: () => undefined };
	},
};

const input = readInput<ListInput>();
const start = performance.now();
const opened = await openers[input.contestant]();
const ms = performance.now() - start;
await opened.close();
if (opened.runs.length !== input.listed) throw new Error(`${input.contestant} lists ${opened.runs.length} runs`);
answer({ ms } satisfies Listed);

function read(name: string): string {
	return fs.readFileSync(path.join(input.folder, name), "utf8");
}
