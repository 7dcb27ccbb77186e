import { createApprovalCommands } from "../approvals/approvalCommands.ts";
import type { ApprovalDocuments } from "../approvals/approvalDocuments.ts";
import type { ApprovalsTree } from "../approvals/approvalsTree.ts";
import type { WorkspaceCatalogs } from "../catalog/workspaceCatalogs.ts";
import type { LazyOpsPanel } from "../panel/lazyOpsPanel.ts";
import { createPlanCommands } from "../plans/planCommands.ts";
import type { PlanComments } from "../plans/planComments.ts";
import type { PlanFiles } from "../plans/planFiles.ts";
import type { PlanViews } from "../plans/planViews.ts";
import type { PlanTickets } from "../plans/planRows.ts";
import type { TranscriptDocuments } from "../transcript/transcriptDocuments.ts";
import { isAgentRow } from "../tree/agentsTree.ts";
import type { SubagentsTree } from "../tree/subagentsTree.ts";
import type { WorkspaceRuntimes } from "../workspaceRuntimes.ts";
import { createDefinitionCommands } from "./definitionCommands.ts";
import { createDeliveryCommands } from "./deliveryCommands.ts";
import { createEndedRunCommands } from "./endedRunCommands.ts";
import { createHostCommands } from "./hostCommands.ts";
import type { CommandHandlers } from "./registerCommands.ts";
import { createRunCommands } from "./runCommands.ts";
import { createServerCommands } from "./serverCommands.ts";
import { spawn, spawnAgent } from "./spawnCommand.ts";
import { spawnOnSelection } from "./spawnOnSelection.ts";

/** What commands act on. */
export interface Surfaces {
	readonly runtimes: WorkspaceRuntimes;
	readonly catalogs: WorkspaceCatalogs;
	readonly tree: SubagentsTree;
	readonly transcripts: TranscriptDocuments;
	readonly approvals: ApprovalsTree;
	readonly approvalDocuments: ApprovalDocuments;
	readonly planFiles: PlanFiles;
	readonly planViews: PlanViews;
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
	planViews,
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
		spawnPlan: async () => showSpawned(await spawn(runtimes, catalogs, { planMode: true })),
		spawnOnSelection: async () => showSpawned(await spawnOnSelection(runtimes, catalogs)),
		async spawnAgent(row) {
			if (!isAgentRow(row)) return undefined;
			return showSpawned(await spawnAgent(runtimes, { name: row.agent.name, folder: row.folder }));
		},
		...createRunCommands(runtimes, showSpawned),
		...createEndedRunCommands(runtimes, transcripts),
		...createDeliveryCommands(runtimes),
		...createHostCommands(runtimes),
		openPanel: () => panel.show(),
		...createDefinitionCommands(runtimes, catalogs),
		moveSecret: async (given) =>
			(await import("./moveSecretCommand.ts")).moveSecretCommand(catalogs, (await runtimes.models()).secrets, given),
		setApiKey: async () => (await import("../models/setApiKeyCommand.ts")).setApiKeyCommand(await runtimes.models()),
		pickModel: async () => (await import("../models/pickModelCommand.ts")).pickModelCommand(await runtimes.models()),
		...createPlanCommands({
			runtimes,
			files: planFiles,
			views: planViews,
			tickets: planTickets,
			comments: planComments,
		}),
		...createServerCommands(runtimes, catalogs),
		...createApprovalCommands(runtimes, approvals, approvalDocuments),
		async showLog() {
			showLog();
		},
	};
}
