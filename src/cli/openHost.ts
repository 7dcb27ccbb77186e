import { ProblemError } from "../core/base/errors.ts";
import { systemClock } from "../core/ports/clock.ts";
import { Runtime } from "../core/runtime.ts";
import { explainReadOnly } from "../core/store/readOnly.ts";
import { createModels } from "./createModels.ts";
import { findSearch } from "./findSearch.ts";
import { findRipgrep } from "./findRipgrep.ts";
import type { Place } from "./findStore.ts";
import { findWorkerFile, requireSqlite, stderrLogger } from "./openStore.ts";

/** Lets `use` work with a runtime of this process's own, and takes it down afterwards. */
export async function withHost(place: Place, use: (runtime: Runtime) => Promise<number>): Promise<number> {
	requireSqlite();
	const runtime = await Runtime.open({
		clock: systemClock,
		logger: stderrLogger,
		models: await createModels(),
		hostKind: "cli",
		workerFile: findWorkerFile(),
		storeFolder: place.store,
		dataFolder: place.data,
		homeFolder: place.home,
		repoFolder: place.repo,
		ripgrepPath: findRipgrep(),
		findSearch,
		// Who calls a verb that runs something trusts the folder in which they call it.
		isTrusted: () => true,
	});
	try {
		const { readOnly } = runtime;
		if (readOnly) throw new ProblemError({ code: "store.readOnly", message: explainReadOnly(readOnly) });
		return await use(runtime);
	} finally {
		await runtime.close();
	}
}
