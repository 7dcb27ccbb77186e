import fs from "node:fs";
import path from "node:path";
import { promisify } from "node:util";
import { grouped } from "./grouped.ts";

const write = promisify(fs.write) as (file: number, text: string) => Promise<unknown>;
const sync = promisify(fs.fdatasync);

/** What being durable cannot cost less than: records appended to a file, with one fdatasync for all that wait. */
export function openLog(folder: string): { append(record: unknown): Promise<void>; close(): void } {
	const file = fs.openSync(path.join(folder, "log.jsonl"), "a");
	return {
		append: grouped(async (records: readonly unknown[]) => {
			await write(file, records.map((record) => `${JSON.stringify(record)}\n`).join(""));
			await sync(file);
		}),
		close: () => fs.closeSync(file),
	};
}
