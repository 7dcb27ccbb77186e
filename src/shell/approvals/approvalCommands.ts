import type { CommandHandlers } from "../commands/registerCommands.ts";
import type { WorkspaceRuntimes } from "../workspaceRuntimes.ts";
import { allowCommand, denyCommand, findAsked, revokeCommand } from "./answerCommands.ts";
import type { ApprovalDocuments } from "./approvalDocuments.ts";
import type { ApprovalsTree } from "./approvalsTree.ts";

type ApprovalCommand =
	| "reviewApproval"
	| "allowOnce"
	| "allowForRun"
	| "allowForAgent"
	| "allowAlways"
	| "denyApproval"
	| "revokeAnswer";

export function createApprovalCommands(
	runtimes: WorkspaceRuntimes,
	tree: ApprovalsTree,
	documents: ApprovalDocuments,
): Pick<CommandHandlers, ApprovalCommand> {
	return {
		async reviewApproval(argument) {
			const found = await findAsked(runtimes, argument, "What do you want to look at?");
			if (!found) return;
			await tree.show();
			await documents.open(found);
		},
		allowOnce: (argument) => allowCommand(runtimes, argument, "once"),
		allowForRun: (argument) => allowCommand(runtimes, argument, "run"),
		allowForAgent: (argument) => allowCommand(runtimes, argument, "agent"),
		allowAlways: (argument) => allowCommand(runtimes, argument, "always"),
		denyApproval: (argument) => denyCommand(runtimes, argument),
		revokeAnswer: (argument) => revokeCommand(argument),
	};
}
