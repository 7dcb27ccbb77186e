import type { Disposable } from "../core/base/disposable.ts";
import { messageOf } from "../core/base/errors.ts";
import type { Runtime } from "../core/runtime.ts";

const signals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/** The first Ctrl-C stops the runs, whose ends are still waited for; the second ends this process. */
export function stopOnSignal(runtime: Runtime, runIds: readonly string[]): Disposable {
	const stop = () => {
		dispose();
		process.stderr.write("muster: Stopping. Once more ends at once.\n");
		for (const runId of runIds) {
			runtime.stop(runId).catch((error: unknown) => process.stderr.write(`muster: ${messageOf(error)}\n`));
		}
	};
	const dispose = () => {
		for (const signal of signals) process.off(signal, stop);
	};
	for (const signal of signals) process.on(signal, stop);
	return { dispose };
}
