import * as vscode from "vscode";
import { describeQuestion } from "../../core/approvals/describeQuestion.ts";
import type { Approval } from "../../core/runs/approval.ts";

/** What it wants to do, with files as people know them here: from the workspace folder on. */
export function describeHere(approval: Approval): string {
	const isFile = approval.effect === "read" || approval.effect === "write";
	const subject = isFile ? vscode.workspace.asRelativePath(approval.subject) : approval.subject;
	return describeQuestion({ ...approval, subject });
}
