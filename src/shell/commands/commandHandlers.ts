import { isTerminal } from "../../core/runs/runState.ts";
import { createApprovalCommands } from "../approvals/approvalCommands.ts";
import type { ApprovalDocuments } from "../approvals/approvalDocuments.ts";
import type { ApprovalsTree } from "../approvals/approvalsTree.ts";
import type { WorkspaceCatalogs } from "../catalog/workspaceCatalogs.ts";
import type { LazyOpsPanel } from "../panel/lazyOpsPanel.ts";
import { createPlanCommands } from "../plans/planCommands.ts";
import type { PlanComments } from "../plans/planComments.ts";
import type { PlanFiles } from "../plans/planFiles.ts";
import type { PlanTickets } from "../plans/planRows.ts";
import type { TranscriptDocuments } from "../transcript/transcriptDocuments.ts";
import { isAgentRow } from "../tree/agentsTree.ts";
import type { SubagentsTree } from "../tree/subagentsTree.ts";
import type { WorkspaceRuntimes } from "../workspaceRuntimes.ts";
import { createDefinitionCommands } from "./definitionCommands.ts";
import { pickRun } from "./pickRun.ts";
import type { CommandHandlers } from "./registerCommands.ts";
import { createServerCommands } from "./serverCommands.ts";
import { spawn, spawnAgent } from "./spawnCommand.ts";

/** What commands act on. */
export interface Surfaces {
	readonly runtimes: WorkspaceRuntimes;
	readonly catalogs: WorkspaceCatalogs;
	readonly tree: SubagentsTree;
	readonly transcripts: TranscriptDocuments;
	readonly approvals: ApprovalsTree;
	readonly approvalDocuments: ApprovalDocuments;
	readonly planFiles: PlanFiles;
	readonly planTickets: PlanTickets;
	readonly planComments: PlanComments;
	readonly panel: LazyOpsPanel;
	readonly showLog: () => void;
}

/** What each command does. */
export function createCommandHandlers({
	runtimes,
	catalogs,
	tree,
	transcripts,
	approvals,
	approvalDocuments,
	planFiles,
	planTickets,
	planComments,
	panel,
	showLog,
}: Surfaces): CommandHandlers {
	const showSpawned = async (runId: string | undefined) => {
		if (runId !== undefined) await tree.show();
		return runId;
	};
	return {
		spawn: async () => showSpawned(await spawn(runtimes, catalogs)),
		spawnPlan: async () => showSpawned(await spawn(runtimes, catalogs, true)),
		async spawnAgent(row) {
			if (!isAgentRow(row)) return undefined;
			return showSpawned(await spawnAgent(runtimes, { name: row.agent.name, folder: row.folder }));
		},
		async stopRun(argument) {
			const found = await pickRun(runtimes, argument, {
				placeholder: "Which subagent is to stop?",
				none: "No subagent is running.",
				isOffered: ({ run }) => !isTerminal(run.state),
			});
			await found?.runtime.stop(found.run.id);
		},
		async openTranscript(argument) {
			const found = await pickRun(runtimes, argument, {
				placeholder: "Whose transcript?",
				none: "Nothing has run here yet.",
				isOffered: () => true,
			});
			if (found) await transcripts.open(found.run);
		},
		openPanel: () => panel.show(),
		async resumeParked() {
			await runtimes.open();
			const parked = runtimes.list().filter(({ run }) => run.hold === "parked");
			await Promise.all([...new Set(parked.map(({ runtime }) => runtime))].map((runtime) => runtime.resumeParked()));
		},
		...createDefinitionCommands(runtimes, catalogs),
		setApiKey: async () => (await import("../models/setApiKeyCommand.ts")).setApiKeyCommand(await runtimes.models()),
		pickModel: async () => (await import("../models/pickModelCommand.ts")).pickModelCommand(await runtimes.models()),
		...createPlanCommands({ runtimes, files: planFiles, tickets: planTickets, comments: planComments }),
		...createServerCommands(runtimes),
		...createApprovalCommands(runtimes, approvals, approvalDocuments),
		async showLog() {
			showLog();
		},
	};
}
