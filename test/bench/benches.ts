import { measureActivation } from "./activation.ts";
import { buildWorker } from "./buildWorker.ts";
import { measureBundles } from "./bundles.ts";
import { benchDiscovery } from "./discovery/discovery.ts";
import type { BenchOptions, Figure } from "./figures.ts";
import { benchAgentLoop } from "./loop/agentLoop.ts";
import { measureSpawn } from "./spawnToFirstToken.ts";
import { benchClaimFromQueue } from "./store/claimFromQueue.ts";
import { benchDurableAccept } from "./store/durableAccept.ts";
import { benchListAfterRestart } from "./store/listAfterRestart.ts";

export interface Bench {
	readonly name: string;
	readonly title: string;
	readonly run: (options: BenchOptions) => Promise<Figure[]>;
}

export const benches: readonly Bench[] = [
	{ name: "bundles", title: "what is parsed, minified", run: () => measureBundles() },
	{
		name: "spawn",
		title: "from the spawn to its answer and to the first token, with the demo model without its pace",
		run: async (options) => measureSpawn(options, await buildWorker()),
	},
	{
		name: "accept",
		title: "until an accepted run is on disk, as its callers see it",
		run: async (options) => benchDurableAccept(options, await buildWorker()),
	},
	{
		name: "list",
		title: "from nothing to the list of runs, in a new process",
		run: async (options) => benchListAfterRestart(options, await buildWorker()),
	},
	{
		name: "claim",
		title: "the end of one run and the start of the next",
		run: async (options) => benchClaimFromQueue(options, await buildWorker()),
	},
	{ name: "loop", title: "an agent at work, beside two others and the bare stream", run: benchAgentLoop },
	{ name: "discovery", title: "reading agent files", run: benchDiscovery },
	{
		name: "activation",
		title: "in a real VS Code, as its own list of running extensions says, beside extensions that ship with it",
		run: measureActivation,
	},
];
