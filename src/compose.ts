/**
 * The composition root: builds each object once, by hand, and takes them down in reverse. Nothing heavy is loaded here:
 * the core comes with `WorkspaceRuntimes` when the first view, command or stored run needs it.
 */
import * as vscode from "vscode";
import { DisposableStore } from "./core/base/disposable.ts";
import { ApprovalDocuments } from "./shell/approvals/approvalDocuments.ts";
import { ApprovalNotifier } from "./shell/approvals/approvalNotifier.ts";
import { ApprovalsTree } from "./shell/approvals/approvalsTree.ts";
import { createVscodeLogger } from "./shell/adapters/vscodeLogger.ts";
import { WorkspaceCatalogs } from "./shell/catalog/workspaceCatalogs.ts";
import { createCommandHandlers } from "./shell/commands/commandHandlers.ts";
import { registerCommands } from "./shell/commands/registerCommands.ts";
import { createReportFailure } from "./shell/errors/reportFailure.ts";
import { RunNotifier } from "./shell/notifications/runNotifier.ts";
import { LazyOpsPanel } from "./shell/panel/lazyOpsPanel.ts";
import { PlanComments } from "./shell/plans/planComments.ts";
import { PlanFiles } from "./shell/plans/planFiles.ts";
import { PlanLenses } from "./shell/plans/planLenses.ts";
import { PlanViews } from "./shell/plans/planViews.ts";
import { PlanTickets } from "./shell/plans/planRows.ts";
import { ProblemDiagnostics } from "./shell/problems/problemDiagnostics.ts";
import { StatusBar } from "./shell/statusBar.ts";
import { TranscriptDocuments } from "./shell/transcript/transcriptDocuments.ts";
import { AgentsTree } from "./shell/tree/agentsTree.ts";
import { createMcpServersTree } from "./shell/tree/mcpServersTree.ts";
import { createSkillsTree } from "./shell/tree/skillsTree.ts";
import { SubagentsTree } from "./shell/tree/subagentsTree.ts";
import { WorkspaceRuntimes } from "./shell/workspaceRuntimes.ts";

export function compose(context: vscode.ExtensionContext): vscode.Disposable {
	const { extensionUri } = context;
	const own = new DisposableStore();
	const channel = own.add(vscode.window.createOutputChannel("Muster", { log: true }));
	const logger = createVscodeLogger(channel);
	const reportFailure = createReportFailure(logger);
	const runtimes = own.add(new WorkspaceRuntimes(extensionUri, context, logger, reportFailure));
	const catalogs = own.add(new WorkspaceCatalogs(runtimes, logger, reportFailure));
	const tree = own.add(new SubagentsTree(runtimes));
	const transcripts = own.add(new TranscriptDocuments(runtimes));
	const panel = own.add(new LazyOpsPanel(extensionUri, runtimes, logger));
	const approvals = own.add(new ApprovalsTree(runtimes));
	const approvalDocuments = own.add(new ApprovalDocuments(runtimes));
	const planFiles = own.add(new PlanFiles(runtimes));
	const planViews = own.add(new PlanViews(runtimes));
	const planTickets = new PlanTickets();
	own.add(new PlanLenses(planFiles, planTickets, runtimes));
	const planComments = own.add(new PlanComments(planFiles, runtimes, reportFailure));
	own.add(new ApprovalNotifier(runtimes, reportFailure));
	own.add(new AgentsTree(catalogs));
	own.add(createSkillsTree(catalogs));
	own.add(createMcpServersTree(catalogs, runtimes));
	own.add(new ProblemDiagnostics(catalogs));
	own.add(new StatusBar(runtimes));
	own.add(new RunNotifier(runtimes));
	const handlers = createCommandHandlers({
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
		showLog: () => channel.show(),
	});
	own.add(registerCommands(handlers, reportFailure));
	void runtimes.openExisting();
	return own;
}
