import path from "node:path";
import { expect, onTestFinished } from "vitest";
import { rgPath } from "@vscode/ripgrep";
import type { Model } from "../../src/core/models/modelPort.ts";
import { ModelRegistry } from "../../src/core/models/modelRegistry.ts";
import { systemClock } from "../../src/core/ports/clock.ts";
import { Runtime } from "../../src/core/runtime.ts";
import type { RuntimeOptions } from "../../src/core/runtimeOptions.ts";
import { isTerminal } from "../../src/core/runs/runState.ts";
import type { RunView } from "../../src/core/engine/runRegistry.ts";
import { findViolations } from "./findViolations.ts";
import { RecordingLogger } from "./recordingLogger.ts";
import { temporaryFolder } from "./temporaryFolder.ts";

export const workerFile = new URL("../../src/core/store/databaseWorker.ts", import.meta.url);

/** An agent file with the least in it. */
export function anAgentFile(name: string, fields = ""): string {
	return `---\nname: ${name}\ndescription: Looks at things.\n${fields}---\nYou look at things.\n`;
}

/**
 * A real runtime on real files: a folder with one agent, a store of its own, and the given model. What a test leaves
 * behind has to be sound, whatever it was about.
 */
export async function aRuntime(model: Model, options: Partial<RuntimeOptions> = {}): Promise<Runtime> {
	const storeFolder = options.storeFolder ?? path.join(temporaryFolder(), "store");
	onTestFinished(() => expect(findViolations(storeFolder)).toEqual([]));
	return aRuntimeOnAnyStore(model, { ...options, storeFolder });
}

/** The same for a test that looks itself at what is wrong with the store. */
export async function aRuntimeOnAnyStore(model: Model, options: Partial<RuntimeOptions> = {}): Promise<Runtime> {
	const folder =
		options.repoFolder ?? temporaryFolder({ ".agents/agents/scout.md": anAgentFile("scout"), "notes.txt": "seven\n" });
	const home = temporaryFolder();
	const provider = {
		id: "demo",
		label: "Demo",
		model: (id: string) => (`demo/${id}` === model.ref ? model : undefined),
	};
	const runtime = await Runtime.open({
		clock: systemClock,
		logger: new RecordingLogger(),
		models: new ModelRegistry([provider], model.ref),
		hostKind: "window",
		workerFile,
		homeFolder: home,
		repoFolder: folder,
		ripgrepPath: rgPath,
		isTrusted: () => true,
		laneLimit: () => 8,
		storeFolder: path.join(home, "store"),
		...options,
	});
	onTestFinished(() => runtime.close());
	return runtime;
}

/** Resolves when the run satisfies the condition; hears every change, so it misses none. */
export function untilRun(runtime: Runtime, runId: string, condition: (run: RunView) => boolean): Promise<RunView> {
	return new Promise((resolve) => {
		const check = () => {
			const run = runtime.runs.get(runId);
			if (run && condition(run)) {
				listener.dispose();
				resolve(run);
			}
		};
		const listener = runtime.runs.onDidChange(check);
		check();
	});
}

export const hasEnded = (run: RunView): boolean => isTerminal(run.state);
