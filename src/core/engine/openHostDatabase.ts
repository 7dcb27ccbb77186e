import { createId } from "../base/ids.ts";
import type { RuntimeOptions } from "../runtimeOptions.ts";
import { Database } from "../store/database.ts";

/** The store of this process, which is a new host in it. Rejects with a `ProblemError` when it cannot be opened. */
export function openHostDatabase(options: RuntimeOptions): Promise<Database> {
	const { storeFolder: folder, dataFolder, workerFile, logger, clock, hostKind, killAt } = options;
	return Database.open({
		folder,
		host: { hostId: createId("host"), pid: process.pid, kind: hostKind, at: clock.now() },
		workerFile,
		logger,
		...(dataFolder !== undefined && { userFolder: dataFolder }),
		...(killAt && { killAt }),
	});
}
