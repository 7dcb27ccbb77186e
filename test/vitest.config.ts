import { defineConfig } from "vitest/config";

const root = new URL("..", import.meta.url).pathname;

/** Whole stories through the runtime, and what starts processes: still plain Node, but not for the fast loop. */
const flows = [
	"test/unit/cli/**/*.test.ts",
	"test/unit/shell/{runCommands,runNotifier,deliveries,otherWindows,mcpServers,forgedApprovals,standingAnswers}.test.ts",
	"test/unit/core/{flows,mcp,processes}/**/*.test.ts",
	"test/unit/core/permissions/{openContained,shellCommand}.test.ts",
	"test/unit/core/tools/builtin/{shell,backgroundShell,webFetch}.test.ts",
	"test/unit/core/store/{damaged,migrations,database}.test.ts",
	"test/unit/core/{models/{providerFaults,vendorModels,vendorFailures,chunkBoundaries},loop/faultyTurns}.test.ts",
	"test/unit/core/engine/{readConversation,laneCaps,reportOpenEffects}.test.ts",
	"test/unit/core/spawn/{corpus,seedRequests}.test.ts",
	"test/unit/core/config/configProperties.test.ts",
	"test/unit/core/permissions/permissionGate.test.ts",
	"test/unit/**/fuzz*.test.ts",
];

/** Only what hangs fails by the clock: a busy machine is no fault of the product. */
const patient = { testTimeout: 60_000, expect: { poll: { timeout: 30_000 } } };

/**
 * V8 sometimes loses count of its code pages where threads come and go, and ends the process ("Check failed:
 * jit_page.has_value()"). Each store is such a thread. Without the two quick compilers it has next to no code pages; an
 * extension host opens one store per folder, and lives with them. What opens no store in a thread is faster with them.
 */
const withThreads = { execArgv: ["--no-memory-protection-keys", "--no-sparkplug", "--no-maglev"] };

/** Plain Node. */
const fast = (name: string, include: readonly string[], options: { exclude?: string[]; execArgv?: string[] } = {}) => ({
	test: {
		name,
		root,
		include: [...include],
		...options,
		isolate: false,
		...patient,
		setupFiles: ["test/fakes/fixedSeed.ts"],
	},
});

/** A real browser or a real VS Code: one file at a time, because two cores are few for them. */
const slow = (name: string, folder: string) => ({
	test: {
		name,
		root,
		include: [`test/${folder}/**/*.test.ts`],
		fileParallelism: false,
		...patient,
		testTimeout: 300_000,
		hookTimeout: 300_000,
	},
});

export default defineConfig({
	test: {
		// One at a time: two processes that start and end store threads side by side have crashed Node 24 in V8 here, twice in three runs.
		maxWorkers: 1,
		projects: [
			fast("unit", ["test/unit/**/*.test.ts"], { exclude: [...flows, "test/unit/core/faults/**"] }),
			fast("flow", flows, withThreads),
			// Processes that are killed; `npm run soak` kills many more.
			fast("faults", ["test/unit/core/faults/**/*.test.ts"], withThreads),
			fast("guards", ["test/guards/**/*.test.ts"]),
			slow("page", "page"),
			slow("integration", "integration"),
			slow("e2e", "e2e"),
		],
	},
});
