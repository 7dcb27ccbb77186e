import type { BenchOptions, Figure } from "../figures.ts";
import { type Contestant, measure, runScript } from "../measure.ts";
import { withTemporaryFolder } from "../temporaryFolder.ts";
import { enter, figuresOf } from "./contestants.ts";
import type { Listed, ListInput } from "./listAfterRestartProcess.ts";
import type { SeedInput } from "./seedStore.ts";

/** As many as the runtime lists when it opens. */
const listed = 1_000;

/** From nothing to the newest runs as objects, in a new process, with a store that has seen much. */
export function benchListAfterRestart({ isQuick }: BenchOptions, workerFile: URL): Promise<Figure[]> {
	const runs = isQuick ? 1_000 : 20_000;
	return withTemporaryFolder(async (folder) => {
		const seed: SeedInput = { folder, runs, hostId: "hst_seed", areEnded: true, listed };
		await runScript(new URL("seedStore.ts", import.meta.url), seed);
		const input = { folder, listed, workerFile: workerFile.href };
		const contestants: Contestant<ListInput>[] = [
			...enter(input),
			{ name: "journal", input: { ...input, contestant: "journal" } },
		];
		const script = new URL("listAfterRestartProcess.ts", import.meta.url);
		const results = await measure<ListInput, Listed>(script, contestants, { rounds: isQuick ? 1 : 9 });
		const name = `newest ${listed.toLocaleString("en")} of ${runs.toLocaleString("en")} runs`;
		return [
			...figuresOf(name, results, ({ ms }) => ms, {
				floor: "snapshot of them, read and parsed",
				muster: "Muster: opens the store in its worker, lists",
			}),
			{
				measure: name,
				contestant: "JSONL journal of all, read and parsed",
				role: "peer",
				unit: "ms",
				samples: (results.get("journal") ?? []).map(({ ms }) => ms),
			},
		];
	});
}
