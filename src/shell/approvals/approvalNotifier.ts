import * as vscode from "vscode";
import { commands, views } from "../../contributions.ts";
import { showOnOneLine } from "../../core/base/showExactly.ts";
import { DisposableStore } from "../../core/base/disposable.ts";
import type { Approval } from "../../core/runs/approval.ts";
import { plainText } from "../errors/plainText.ts";
import type { ReportFailure } from "../errors/reportFailure.ts";
import { approve, reject } from "../plans/planCommands.ts";
import type { FolderPlan } from "../plans/planRows.ts";
import type { WorkspaceRuntimes } from "../workspaceRuntimes.ts";
import { answer } from "./answerCommands.ts";
import type { FolderApproval } from "./approvalRows.ts";
import { describeHere } from "./describeHere.ts";

/** What stands alone for so long gets a notification of its own. */
const aloneMs = 800;
/** What a notification shows whole; of anything longer only a look at it is on offer. */
const mostShown = 120;

interface Button {
	readonly title: string;
	press(): Promise<unknown>;
}

/** One thing that waits, as a notification: a pure function of its record. */
interface Waiting {
	readonly id: string;
	say(): Promise<{ readonly text: string; readonly buttons: readonly Button[]; readonly isPlan: boolean }>;
}

/**
 * Says that something waits. The records are the truth and the view shows them all: a notification that is closed, or never
 * seen, decides nothing and loses nothing.
 */
export class ApprovalNotifier implements vscode.Disposable {
	readonly #runtimes: WorkspaceRuntimes;
	readonly #reportFailure: ReportFailure;
	readonly #own = new DisposableStore();
	readonly #told = new Set<string>();
	#timer: NodeJS.Timeout | undefined;
	#endSummary: (() => void) | undefined;
	#summary = "";
	/** Closed by the person: not shown again before something else waits. */
	#dismissed = "";

	constructor(runtimes: WorkspaceRuntimes, reportFailure: ReportFailure) {
		this.#runtimes = runtimes;
		this.#reportFailure = reportFailure;
		this.#own.add(runtimes.onDidChangeApprovals(() => this.#look()));
		this.#own.add(runtimes.onDidChangePlans(() => this.#look()));
		this.#own.add({ dispose: () => clearTimeout(this.#timer) });
		this.#own.add({ dispose: () => this.#endSummary?.() });
	}

	dispose(): void {
		this.#own.dispose();
	}

	#look(): void {
		clearTimeout(this.#timer);
		const waiting = [
			...this.#runtimes.approvals().map(ofApproval),
			...this.#runtimes.plans().map((each) => ofPlan(each)),
		];
		const ids = waiting.map(({ id }) => id).join();
		if (waiting.length < 2) this.#endSummary?.();
		const [only] = waiting;
		if (waiting.length === 1 && only && !this.#told.has(only.id)) {
			this.#timer = setTimeout(() => void this.#tell(only), aloneMs);
		}
		if (waiting.length > 1 && ids !== this.#summary && ids !== this.#dismissed) {
			this.#timer = setTimeout(() => this.#summarize(waiting), aloneMs);
		}
	}

	async #tell(waiting: Waiting): Promise<void> {
		this.#told.add(waiting.id);
		try {
			const { text, buttons, isPlan } = await waiting.say();
			// With the end of its id: the same words twice would close the first notification.
			const message = `${plainText(text)} (${waiting.id.slice(-6)})`;
			const show = isPlan ? vscode.window.showInformationMessage : vscode.window.showWarningMessage;
			const chosen = await show(message, ...buttons.map(({ title }) => title));
			await buttons.find(({ title }) => title === chosen)?.press();
		} catch (error) {
			this.#reportFailure("Answer", error);
		}
	}

	/** Several: their number, and the way to the view. Cancelling it means later. */
	#summarize(waiting: readonly Waiting[]): void {
		this.#endSummary?.();
		for (const { id } of waiting) this.#told.add(id);
		const ids = waiting.map(({ id }) => id).join();
		this.#summary = ids;
		const title = `Muster: ${waiting.length} subagents wait for you. [Review](command:${views.approvals}.focus)`;
		void vscode.window.withProgress(
			{ location: vscode.ProgressLocation.Notification, title, cancellable: true },
			(_progress, token) =>
				new Promise<void>((resolve) => {
					const end = () => {
						this.#endSummary = undefined;
						this.#summary = "";
						resolve();
					};
					this.#endSummary = end;
					token.onCancellationRequested(() => {
						this.#dismissed = ids;
						end();
					});
				}),
		);
	}
}

function ofApproval(asked: FolderApproval): Waiting {
	const { approval } = asked;
	const text = `${approval.agentPath} wants to ${showOnOneLine(describeHere(approval), mostShown)}`;
	const review = {
		title: "Review",
		press: async () => vscode.commands.executeCommand(commands.reviewApproval.id, approval.id),
	};
	const allow = { title: "Allow Once", press: () => answer(asked, { verdict: "allow" }, "notification") };
	const deny = { title: "Deny", press: () => answer(asked, { verdict: "deny" }, "notification") };
	const buttons = isShownWhole(approval) ? [allow, deny, review] : [review, deny];
	return { id: approval.id, say: () => Promise.resolve({ text, buttons, isPlan: false }) };
}

function ofPlan(waiting: FolderPlan): Waiting {
	const { plan } = waiting;
	return {
		id: plan.id,
		async say() {
			const { describeScope, readPlanScope } = await import("../../core/plans/planScope.ts");
			const scope = describeScope(readPlanScope(plan.text));
			return {
				text: `${plan.agentId} has a plan: ${showOnOneLine(plan.title, mostShown)}. It ${scope}.`,
				buttons: [
					{ title: "Approve", press: () => approve(waiting, plan.hash, "notification") },
					{ title: "Reject…", press: () => reject({ ...waiting, by: "notification" }) },
					{ title: "Open Plan", press: async () => vscode.commands.executeCommand(commands.openPlan.id, plan.id) },
				],
				isPlan: true,
			};
		},
	};
}

/** A command or an address is all there is to it; what goes into a file is not in its name. */
function isShownWhole(approval: Approval): boolean {
	const text = describeHere(approval);
	const isMore = approval.effect === "write" || approval.effect === "none" || approval.effect === "mcp";
	return !isMore && showOnOneLine(text, mostShown) === text;
}
