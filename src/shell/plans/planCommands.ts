import * as vscode from "vscode";
import { planScheme } from "../../contributions.ts";
import { ProblemError } from "../../core/base/errors.ts";
import type { Surface } from "../../core/runs/approval.ts";
import type { CommandHandlers } from "../commands/registerCommands.ts";
import type { WorkspaceRuntimes } from "../workspaceRuntimes.ts";
import type { PlanComments } from "./planComments.ts";
import { PlanFiles } from "./planFiles.ts";
import { findPlan, type FolderPlan, PlanRow, type PlanTickets } from "./planRows.ts";
import type { PlanViews } from "./planViews.ts";

type PlanCommand =
	| "addPlanComment"
	| "removePlanComment"
	| "openPlan"
	| "approvePlan"
	| "rejectPlan"
	| "closePlan"
	| "comparePlan"
	| "showPlanWork";

export interface PlanSurfaces {
	readonly runtimes: WorkspaceRuntimes;
	readonly files: PlanFiles;
	readonly views: PlanViews;
	readonly tickets: PlanTickets;
	readonly comments: PlanComments;
}

/** A plan that a command is about, the text that was shown, and whether a surface of ours has shown it. */
interface Chosen extends FolderPlan {
	readonly hash: string;
	readonly isOurs: boolean;
	readonly by: Surface;
}

export function createPlanCommands(surfaces: PlanSurfaces): Pick<CommandHandlers, PlanCommand> {
	const { files, views, comments } = surfaces;
	return {
		addPlanComment: (reply) => comments.add(reply as vscode.CommentReply),
		removePlanComment: (thread) => comments.remove(thread as vscode.CommentThread),
		async openPlan(argument) {
			const chosen = await choose(surfaces, argument, "Which plan?");
			if (chosen) await files.open(chosen.plan);
		},
		async approvePlan(argument) {
			const chosen = await choose(surfaces, argument, "Which plan is to be carried out?");
			const hash = chosen && (await saveFirst(chosen));
			if (!chosen || hash === undefined) return;
			if (!chosen.isOurs && !(await confirm(chosen, "Approve"))) return;
			await approve(chosen, hash);
		},
		async rejectPlan(argument) {
			const chosen = await choose(surfaces, argument, "Which plan is to be made again?");
			if (chosen) await reject(chosen);
		},
		async closePlan(argument) {
			const chosen = await choose(surfaces, argument, "Which plan is to be left at that?");
			if (!chosen) return;
			if (!chosen.isOurs && !(await confirm(chosen, "Close Plan"))) return;
			await chosen.runtime.plans.close(chosen.plan.id, { by: chosen.by });
		},
		async comparePlan(argument) {
			const chosen = await choose(surfaces, argument, "Which plan?");
			if (chosen) await views.compare(chosen);
		},
		async showPlanWork(argument) {
			const chosen = await choose(surfaces, argument, "Which plan?");
			if (chosen) await views.openWork(chosen);
		},
	};
}

export async function approve({ plan, runtime }: FolderPlan, hash: string, by: Surface = "editor"): Promise<void> {
	await runtime.plans.approve(plan.id, { by, hash });
	if (!findUnsaved(plan.id)) return;
	const message = "The plan was approved as it was saved last. What is unsaved in its document is not part of it.";
	void vscode.window.showWarningMessage(message);
}

function findUnsaved(planId: string): vscode.TextDocument | undefined {
	return vscode.workspace.textDocuments.find(
		({ uri, isDirty }) => isDirty && uri.scheme === planScheme && PlanFiles.idOf(uri) === planId,
	);
}

/** Asks for the reasons, filled with the remarks on the plan's lines. Empty leaves everything as it is. */
export async function reject({ plan, runtime, by = "editor" }: FolderPlan & { readonly by?: Surface }): Promise<void> {
	const comments = await runtime.plans.comments(plan.id);
	const value = comments.map(({ line, quoted, text }) => `Line ${line} (“${quoted.trim()}”): ${text}`).join("; ");
	const reason = await vscode.window.showInputBox({
		title: `Reject the plan: ${plan.title.slice(0, 80)}`,
		prompt: "What is to be different? The subagent reads this and plans again.",
		value,
		ignoreFocusOut: true,
		validateInput: (text) =>
			text.trim() === "" ? "Say what is to be different, or close the plan instead." : undefined,
	});
	if (reason !== undefined) await runtime.plans.reject(plan.id, reason, { by });
}

/**
 * On the document, what is typed there counts: it is saved first. Undefined when that failed, which approves nothing. From
 * elsewhere it is what was saved last that counts.
 */
async function saveFirst({ plan, runtime, hash, isOurs, by }: Chosen): Promise<string | undefined> {
	const document = findUnsaved(plan.id);
	if (!document || by === "tree") return hash;
	if (!isOurs) {
		const message = "This plan has changes here that are not saved. Save them, or undo them, then approve.";
		throw new ProblemError({ code: "plan.dirty", message });
	}
	return (await document.save()) ? (await runtime.plans.find(plan.id)).hash : undefined;
}

/** The plan that a command is about: a lens's or a row's, one that is named, that of the open document, or one to pick. */
async function choose(
	{ runtimes, files, tickets }: PlanSurfaces,
	argument: unknown,
	placeHolder: string,
): Promise<Chosen | undefined> {
	if (argument instanceof PlanRow) return { ...argument, hash: argument.plan.hash, isOurs: true, by: "tree" };
	await runtimes.open();
	if (tickets.isOurs(argument)) {
		const found = await findPlan(runtimes, argument.planId);
		return { ...found, hash: argument.hash, isOurs: true, by: "editor" };
	}
	const found =
		typeof argument === "string"
			? await findPlan(runtimes, argument)
			: ((await ofOpenDocument(files)) ?? (await pick(runtimes, placeHolder)));
	return found && { ...found, hash: found.plan.hash, isOurs: false, by: "editor" };
}

/** By its tab: while a remark is written, the active editor is the remark's own. */
function ofOpenDocument(files: PlanFiles): Promise<FolderPlan | undefined> {
	const input = vscode.window.tabGroups.activeTabGroup.activeTab?.input;
	const uri = input instanceof vscode.TabInputText && input.uri.scheme === planScheme ? input.uri : undefined;
	return uri ? files.find(uri) : Promise.resolve(undefined);
}

async function pick(runtimes: WorkspaceRuntimes, placeHolder: string): Promise<FolderPlan | undefined> {
	const plans = runtimes.plans();
	if (plans.length === 0) {
		void vscode.window.showInformationMessage("No plan waits for your approval.");
		return undefined;
	}
	const items = plans.map((each) => ({ label: each.plan.title, description: each.plan.agentId, each }));
	return (await vscode.window.showQuickPick(items, { placeHolder }))?.each;
}

/** What was not shown by a surface of ours is shown now, to the byte, with the way out first. */
async function confirm({ plan }: FolderPlan, verb: string): Promise<boolean> {
	if (plan.text.length > 2_000) {
		const message =
			"This plan is too long to be shown in a dialog. Open it, and decide in the bar above its first line.";
		throw new ProblemError({ code: "plan.tooLong", message });
	}
	const { showExactly } = await import("../../core/base/showExactly.ts");
	const options = { modal: true, detail: showExactly(plan.text) };
	const message = `${verb}: is this the plan?`;
	const chosen = await vscode.window.showWarningMessage(message, options, { title: "Not Now" }, { title: verb });
	return chosen?.title === verb;
}
