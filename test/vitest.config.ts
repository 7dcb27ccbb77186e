import { defineConfig } from "vitest/config";

const root = new URL("..", import.meta.url).pathname;

/** Plain Node, in parallel: rules, whole stories on fakes, structure. */
const fast = (name: string, folder: string) => ({
	test: {
		name,
		root,
		include: [`test/${folder}/**/*.test.ts`],
		isolate: false,
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
		testTimeout: 300_000,
		hookTimeout: 300_000,
	},
});

export default defineConfig({
	test: {
		projects: [
			fast("unit", "unit"),
			fast("guards", "guards"),
			slow("page", "page"),
			slow("integration", "integration"),
			slow("e2e", "e2e"),
		],
	},
});
