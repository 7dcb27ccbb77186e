import { createId } from "../../../src/core/base/ids.ts";
import { Database } from "../../../src/core/store/database.ts";

export interface StoreInput {
	/** The built worker. */
	readonly workerFile: string;
	readonly folder: string;
	/** Default: one that the store does not know yet. */
	readonly hostId?: string;
}

/** The store as a window opens it. */
export function openMuster({ workerFile, folder, hostId = createId("host") }: StoreInput): Promise<Database> {
	const logger = { info: () => undefined, warn: console.error, error: console.error };
	const host = { hostId, pid: process.pid, kind: "window", at: Date.now() } as const;
	return Database.open({ workerFile: new URL(workerFile), folder, host, logger });
}
