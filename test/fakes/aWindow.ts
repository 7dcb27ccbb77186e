import type { Runtime } from "../../src/core/runtime.ts";
import { createDeliveryCommands } from "../../src/shell/commands/deliveryCommands.ts";
import { createEndedRunCommands } from "../../src/shell/commands/endedRunCommands.ts";
import { createHostCommands } from "../../src/shell/commands/hostCommands.ts";
import { createRunCommands } from "../../src/shell/commands/runCommands.ts";
import { TranscriptDocuments } from "../../src/shell/transcript/transcriptDocuments.ts";
import { createRunItem } from "../../src/shell/tree/runItem.ts";
import type { FolderRun, WorkspaceRuntimes } from "../../src/shell/workspaceRuntimes.ts";

/** One window on one folder: its commands on runs, and the rows that it shows. For tests where `vscode` is the stand-in. */
export function aWindow(runtime: Runtime) {
	const list = (): FolderRun[] => runtime.runs.list().map((run) => ({ run, runtime, folder: "/shop" }));
	const runtimes = {
		open: async () => undefined,
		list,
		find: (runId: string) => list().find(({ run }) => run.id === runId),
		opened: () => [runtime],
		runtimeOf: async () => runtime,
		onDidChange: runtime.runs.onDidChange,
		onDidAnnounce: runtime.onDidAnnounce,
	} as unknown as WorkspaceRuntimes;
	const shown: (string | undefined)[] = [];
	const commands = {
		...createRunCommands(runtimes, async (runId) => {
			shown.push(runId);
			return runId;
		}),
		...createEndedRunCommands(runtimes, new TranscriptDocuments(runtimes)),
		...createDeliveryCommands(runtimes),
		...createHostCommands(runtimes),
	};
	/** A row of the Subagents view, as it is now. */
	async function row(runId: string) {
		const run = runtime.runs.get(runId);
		if (!run) return undefined;
		const { control } = runtime;
		const { description, contextValue } = createRunItem(run, {
			modelLabel: "Demo",
			now: Date.now(),
			waitReason: (await control.explainWaits(runtime.runs.list())).get(runId),
			isUnanswered: control.isUnanswered(run),
		});
		return { description: String(description), contextValue };
	}
	return { commands, shown, row, runtimes };
}
