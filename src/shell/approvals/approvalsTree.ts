import * as vscode from "vscode";
import { approvalContextValues, commands, views } from "../../contributions.ts";
import { describeQuestion } from "../../core/approvals/describeQuestion.ts";
import { showExactly, showOnOneLine } from "../../core/base/showExactly.ts";
import { DisposableStore } from "../../core/base/disposable.ts";
import type { Approval } from "../../core/runs/approval.ts";
import { PlanRow } from "../plans/planRows.ts";
import type { WorkspaceRuntimes } from "../workspaceRuntimes.ts";
import { describeHere } from "./describeHere.ts";
import { AnswerRow, ApprovalRow } from "./approvalRows.ts";

type Node = ApprovalRow | PlanRow | AnswerRow | "answers";

/** Many changes in a burst are one refresh. */
const refreshMs = 100;

const icons = {
	none: "tools",
	read: "file",
	write: "edit",
	run: "terminal",
	fetch: "globe",
	search: "search",
	mcp: "plug",
	start: "server-process",
	spawn: "hubot",
} as const;

/** The Approvals view: what waits for a person, then the answers that hold. The records are the truth; it only shows them. */
export class ApprovalsTree implements vscode.TreeDataProvider<Node>, vscode.Disposable {
	readonly #runtimes: WorkspaceRuntimes;
	readonly #own = new DisposableStore();
	readonly #changed = this.#own.add(new vscode.EventEmitter<undefined>());
	readonly #view: vscode.TreeView<Node>;

	#refresh: NodeJS.Timeout | undefined;

	readonly onDidChangeTreeData = this.#changed.event;

	constructor(runtimes: WorkspaceRuntimes) {
		this.#runtimes = runtimes;
		this.#view = this.#own.add(vscode.window.createTreeView(views.approvals, { treeDataProvider: this }));
		this.#own.add(runtimes.onDidChangeApprovals(() => this.#show()));
		this.#own.add(runtimes.onDidChangePlans(() => this.#show()));
		this.#own.add({ dispose: () => clearTimeout(this.#refresh) });
		this.#show();
	}

	async getChildren(node?: Node): Promise<Node[]> {
		if (node === "answers") return this.#readAnswers();
		if (node !== undefined) return [];
		const answers = await this.#readAnswers();
		// Asked for last: what comes in while the answers are read is on the list.
		const waiting = [
			...this.#runtimes.approvals().map((each) => new ApprovalRow(each)),
			...this.#runtimes.plans().map((each) => new PlanRow(each)),
		];
		return answers.length > 0 ? [...waiting, "answers"] : waiting;
	}

	getTreeItem(node: Node): vscode.TreeItem {
		if (node === "answers") return answersItem();
		if (node instanceof PlanRow) return planItem(node);
		return node instanceof ApprovalRow ? approvalItem(node) : answerItem(node);
	}

	async show(): Promise<void> {
		await vscode.commands.executeCommand(`${views.approvals}.focus`);
	}

	dispose(): void {
		this.#own.dispose();
	}

	async #readAnswers(): Promise<AnswerRow[]> {
		const runtimes = this.#runtimes.opened();
		const answers = await Promise.all(
			runtimes.map(async (runtime) =>
				(await runtime.approvals.allAnswers()).map((answer) => new AnswerRow(answer, runtime)),
			),
		);
		return answers.flat();
	}

	#show(): void {
		const count = this.#runtimes.approvals().length + this.#runtimes.plans().length;
		const tooltip = count === 1 ? "1 thing waits for you" : `${count} things wait for you`;
		this.#view.badge = count > 0 ? { value: count, tooltip } : undefined;
		// A little later: VS Code forgets a refresh that comes while it reads the rows for the first time.
		this.#refresh ??= setTimeout(() => {
			this.#refresh = undefined;
			this.#changed.fire(undefined);
		}, refreshMs);
	}
}

function approvalItem(row: ApprovalRow): vscode.TreeItem {
	const { approval } = row;
	const what = showOnOneLine(describeHere(approval));
	const item = new vscode.TreeItem(approval.agentPath);
	item.id = approval.id;
	item.description = what;
	item.tooltip = `${approval.agentPath} wants to ${showExactly(describeQuestion(approval)).slice(0, 1_000)}\n\n${approval.why}`;
	item.iconPath = new vscode.ThemeIcon(icons[approval.effect], new vscode.ThemeColor("list.warningForeground"));
	item.contextValue = approvalContextValues[reachOf(approval)];
	item.accessibilityInformation = { label: `${approval.agentPath} asks to ${what}. ${approval.why}` };
	item.command = { command: commands.reviewApproval.id, title: commands.reviewApproval.title, arguments: [row] };
	return item;
}

/** How far an answer may reach: the menu offers no more. */
function reachOf({ offers }: Approval): keyof typeof approvalContextValues {
	const scopes = new Set(offers.map(({ scope }) => scope));
	if (scopes.has("always")) return "wide";
	if (scopes.has("agent")) return "agent";
	return scopes.has("run") ? "run" : "once";
}

function planItem(row: PlanRow): vscode.TreeItem {
	const { plan } = row;
	const title = showOnOneLine(plan.title);
	const item = new vscode.TreeItem(plan.agentId);
	item.id = plan.id;
	item.description = `plan: ${title}`;
	item.tooltip = `${plan.agentId} has made a plan: ${title}`;
	item.iconPath = new vscode.ThemeIcon("checklist", new vscode.ThemeColor("list.warningForeground"));
	item.contextValue = approvalContextValues.plan;
	item.accessibilityInformation = { label: `${plan.agentId} asks to approve its plan: ${title}` };
	item.command = { command: commands.openPlan.id, title: commands.openPlan.title, arguments: [row] };
	return item;
}

function answersItem(): vscode.TreeItem {
	const item = new vscode.TreeItem("Standing answers", vscode.TreeItemCollapsibleState.Collapsed);
	item.id = "answers";
	item.iconPath = new vscode.ThemeIcon("law");
	return item;
}

function answerItem({ answer }: AnswerRow): vscode.TreeItem {
	const { id, verdict, rule, scope, agentId } = answer;
	const item = new vscode.TreeItem(`${verdict === "allow" ? "Allow" : "Deny"} ${showOnOneLine(rule)}`);
	item.id = id;
	item.description = {
		run: `while this run of ${agentId} lives`,
		agent: `for ${agentId}`,
		always: "always, in every workspace",
	}[scope];
	item.contextValue = approvalContextValues.answer;
	item.iconPath = new vscode.ThemeIcon(verdict === "allow" ? "check" : "circle-slash");
	item.accessibilityInformation = { label: `${verdict} ${showOnOneLine(rule)}, ${item.description}` };
	return item;
}
