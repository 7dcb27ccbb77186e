import { ProblemError } from "../core/base/errors.ts";
import { isTerminal } from "../core/runs/runState.ts";
import { withHost } from "./openHost.ts";
import { hasStore, noSuchRun } from "./openStore.ts";
import { readCall } from "./storeOptions.ts";

/** How long another process has for it. */
const patienceMs = 10_000;

/** `muster stop <run>`: wherever it executes. Done when it has ended. */
export async function stopVerb(args: readonly string[]): Promise<number> {
	const { place, isJson, words } = readCall(args, { options: {}, words: ["run"] });
	const [word = ""] = words;
	if (!hasStore(place)) return noSuchRun(word);
	return withHost(place, async (runtime) => {
		const run = await runtime.control.find(word);
		const hadEnded = isTerminal(run.state);
		if (!hadEnded) await runtime.stop(run.id);
		const ended = hadEnded ? run : await runtime.untilEnded(run.id, patienceMs);
		if (!ended) {
			const message = `${run.id} was asked to stop and has not ended in ${patienceMs / 1000} s: its process does not answer. It stops when that process does.`;
			throw new ProblemError({ code: "run.notStopped", message });
		}
		const { id: runId, state } = ended;
		if (isJson) process.stdout.write(`${JSON.stringify({ runId, state })}\n`);
		else process.stdout.write(hadEnded ? `${runId} had ended before: ${state}\n` : `${runId} ${state}\n`);
		return 0;
	});
}
