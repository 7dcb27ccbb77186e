import { withHost } from "./openHost.ts";
import { hasStore, noSuchRun } from "./openStore.ts";
import { readCall } from "./storeOptions.ts";

/** `muster remove <run>`: out of the lists; its record and transcript stay. */
export async function removeVerb(args: readonly string[]): Promise<number> {
	const { place, isJson, words } = readCall(args, { options: {}, words: ["run"] });
	const [word = ""] = words;
	if (!hasStore(place)) return noSuchRun(word);
	return withHost(place, async (runtime) => {
		const { id: runId, state } = await runtime.control.find(word);
		await runtime.control.remove(runId);
		process.stdout.write(isJson ? `${JSON.stringify({ runId, state, removed: true })}\n` : `${runId} removed\n`);
		return 0;
	});
}
