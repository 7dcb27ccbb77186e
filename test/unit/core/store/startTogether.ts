/** Opens the store when told to, as a host, and tells how it went. */
import { Database } from "../../../../src/core/store/database.ts";

const [, , folder = "", hostId = ""] = process.argv;
const workerFile = new URL("../../../../src/core/store/databaseWorker.ts", import.meta.url);
const logger = { info: () => undefined, warn: () => undefined, error: console.error };

process.once("message", () => void open());
process.send?.("ready");

async function open(): Promise<void> {
	const host = { hostId, pid: process.pid, kind: "cli", at: 1 } as const;
	const database = await Database.open({ folder, host, workerFile, logger });
	process.send?.({ readOnly: database.readOnly, warning: database.warning });
	process.once("message", () => {
		void database.close().then(() => process.disconnect());
	});
}
