import * as vscode from "vscode";
import { planScheme } from "../../contributions.ts";
import { ProblemError } from "../../core/base/errors.ts";
import type { Surface } from "../../core/runs/approval.ts";
import type { CommandHandlers } from "../commands/registerCommands.ts";
import type { WorkspaceRuntimes } from "../workspaceRuntimes.ts";
import type { PlanComments } from "./planComments.ts";
import { PlanFiles } from "./planFiles.ts";
import { type FolderPlan, PlanRow, type PlanTickets } from "./planRows.ts";

type PlanCommand =
	| "addPlanComment"
	| "removePlanComment"
	| "openPlan"
	| "approvePlan"
	| "rejectPlan"
	| "closePlan"
	| "comparePlan";

export interface PlanSurfaces {
	readonly runtimes: WorkspaceRuntimes;
	readonly files: PlanFiles;
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
	const { files, comments } = surfaces;
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
			if (chosen) await compare(chosen);
		},
	};
}

export async function approve({ plan, runtime }: FolderPlan, hash: string, by: Surface = "editor"): Promise<void> {
	await runtime.plans.approve(plan.id, { by, hash });
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

/** On the document, what is typed there counts: it is saved first. Undefined when that failed, which approves nothing. */
async function saveFirst({ plan, runtime, hash, isOurs }: Chosen): Promise<string | undefined> {
	const uri = PlanFiles.uriOf(plan).toString();
	const document = vscode.workspace.textDocuments.find((open) => open.uri.toString() === uri);
	if (!document?.isDirty) return hash;
	if (!isOurs) {
		const message = "This plan has changes here that are not saved. Save them, or undo them, then approve.";
		throw new ProblemError({ code: "plan.dirty", message });
	}
	return (await document.save()) ? (await runtime.plans.find(plan.id)).hash : undefined;
}

async function compare({ plan, runtime }: FolderPlan): Promise<void> {
	const revisions = await runtime.plans.revisions(plan.id);
	const [first] = revisions;
	const last = revisions.at(-1);
	if (!first || !last || first === last) {
		void vscode.window.showInformationMessage("This plan is as the subagent made it.");
		return;
	}
	const open = (content: string) => vscode.workspace.openTextDocument({ content, language: "plaintext" });
	const [left, right] = await Promise.all([open(first.text), open(last.text)]);
	await vscode.commands.executeCommand("vscode.diff", left.uri, right.uri, "The plan: as made ↔ as edited");
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
		const found = await findById(runtimes, argument.planId);
		return { ...found, hash: argument.hash, isOurs: true, by: "editor" };
	}
	const found =
		typeof argument === "string"
			? await findById(runtimes, argument)
			: ((await ofOpenDocument(files)) ?? (await pick(runtimes, placeHolder)));
	return found && { ...found, hash: found.plan.hash, isOurs: false, by: "editor" };
}

async function findById(runtimes: WorkspaceRuntimes, id: string): Promise<FolderPlan> {
	for (const runtime of runtimes.opened()) {
		const plan = await runtime.plans.find(id).catch(() => undefined);
		if (plan) return { plan, runtime };
	}
	throw new ProblemError({ code: "plan.notFound", message: "There is no such plan in this workspace." });
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
	const { showExactly } = await import("../../core/approvals/describeQuestion.ts");
	const options = { modal: true, detail: showExactly(plan.text) };
	const message = `${verb}: is this the plan?`;
	const chosen = await vscode.window.showWarningMessage(message, options, { title: "Not Now" }, { title: verb });
	return chosen?.title === verb;
}
