import path from "node:path";
import type { BenchOptions, Figure } from "../figures.ts";
import { measure, runScript } from "../measure.ts";
import { withTemporaryFolder } from "../temporaryFolder.ts";
import type { Claimed, ClaimInput } from "./claimFromQueueProcess.ts";
import { enter, figuresOf } from "./contestants.ts";
import type { SeedInput } from "./seedStore.ts";

/** The end of one run and the start of the next, both durable: beside a long queue, and beside a short one. */
export function benchClaimFromQueue({ isQuick }: BenchOptions, workerFile: URL): Promise<Figure[]> {
	const lengths = isQuick ? [100, 1_000] : [1_000, 100_000];
	return withTemporaryFolder(async (root) => {
		const figures: Figure[] = [];
		for (const runs of lengths) {
			const folder = path.join(root, String(runs));
			const seed: SeedInput = { folder, runs, hostId: "hst_bench", areEnded: false, listed: 1 };
			await runScript(new URL("seedStore.ts", import.meta.url), seed);
			const input = { folder, runs, turns: isQuick ? 10 : 100, hostId: "hst_bench", workerFile: workerFile.href };
			const script = new URL("claimFromQueueProcess.ts", import.meta.url);
			const rounds = isQuick ? 1 : 5;
			const results = await measure<ClaimInput, Claimed>(script, enter(input), { rounds });
			const names = { floor: "two appends + fdatasync, list in memory" };
			figures.push(...figuresOf(`${runs.toLocaleString("en")} queued: p50`, results, ({ p50 }) => p50, names));
		}
		return figures;
	});
}
