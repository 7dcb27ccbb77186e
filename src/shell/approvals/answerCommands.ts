import * as vscode from "vscode";
import { describeQuestion } from "../../core/approvals/describeQuestion.ts";
import { showExactly, showOnOneLine } from "../../core/base/showExactly.ts";
import { ProblemError } from "../../core/base/errors.ts";
import type { ApprovalScope } from "../../core/runs/approval.ts";
import type { WorkspaceRuntimes } from "../workspaceRuntimes.ts";
import { describeHere } from "./describeHere.ts";
import { ApprovalRow, AnswerRow, type FolderApproval } from "./approvalRows.ts";

const allow = { once: "Allow Once", run: "Allow for This Run", agent: "Allow for This Agent", always: "Always Allow" };

/** Allows what a row stands for. Without a row of ours a person sees the exact bytes first, and is asked. */
export async function allowCommand(
	runtimes: WorkspaceRuntimes,
	argument: unknown,
	scope: ApprovalScope,
): Promise<void> {
	const found = await findAsked(runtimes, argument, "What do you want to allow?");
	if (!found) return;
	if (!(found instanceof ApprovalRow) && !(await confirm(found, allow[scope]))) return;
	await answer(found, { verdict: "allow", scope });
}

/** Denies, with words for the model where there are any. Escape denies nothing. */
export async function denyCommand(runtimes: WorkspaceRuntimes, argument: unknown): Promise<void> {
	const found = await findAsked(runtimes, argument, "What do you want to deny?");
	if (!found) return;
	const reason = await vscode.window.showInputBox({
		title: `Deny: ${showOnOneLine(describeHere(found.approval))}`,
		prompt: "What is the subagent to do instead? It reads this; leave it empty to say nothing.",
		ignoreFocusOut: true,
	});
	if (reason === undefined) return;
	await answer(found, { verdict: "deny", reason });
}

export async function revokeCommand(argument: unknown): Promise<void> {
	if (argument instanceof AnswerRow) await argument.runtime.approvals.revoke(argument.answer.id);
}

export async function answer(
	{ approval, runtime }: FolderApproval,
	given: { readonly verdict: "allow" | "deny"; readonly scope?: ApprovalScope; readonly reason?: string },
	by: "tree" | "notification" = "tree",
): Promise<void> {
	await runtime.approvals.answer(approval.id, { ...given, by, hash: approval.hash });
}

/** The question that a command is about: its row, one that is named by its id, or the one the person picks. */
export async function findAsked(
	runtimes: WorkspaceRuntimes,
	argument: unknown,
	placeHolder: string,
): Promise<FolderApproval | undefined> {
	if (argument instanceof ApprovalRow) return argument;
	await runtimes.open();
	const waiting = runtimes.approvals();
	if (typeof argument === "string") {
		const named = waiting.find(({ approval }) => approval.id === argument);
		if (named) return named;
		throw new ProblemError({ code: "approval.notFound", message: "This question is answered, or its run has ended." });
	}
	if (waiting.length === 0) {
		void vscode.window.showInformationMessage("Nothing waits for your approval.");
		return undefined;
	}
	const items = waiting.map((each) => ({
		label: showOnOneLine(describeHere(each.approval)),
		description: each.approval.agentPath,
		detail: each.approval.why,
		each,
	}));
	return (await vscode.window.showQuickPick(items, { placeHolder, matchOnDescription: true }))?.each;
}

/** Deny stands first and has the focus: Enter allows nothing. */
async function confirm({ approval }: FolderApproval, verb: string): Promise<boolean> {
	const detail = [
		showExactly(describeQuestion(approval)),
		showExactly(approval.input),
		`${approval.agentPath}: ${approval.why}`,
	].join("\n\n");
	if (detail.length > 2_000) {
		throw new ProblemError({
			code: "approval.tooLong",
			message: "This is too long to be shown in a dialog. Open it in the Approvals view, and answer there.",
		});
	}
	const message = "Is this subagent to do exactly this?";
	const deny = { title: "Not Now" };
	const chosen = await vscode.window.showWarningMessage(message, { modal: true, detail }, deny, { title: verb });
	return chosen?.title === verb;
}
