import * as vscode from "vscode";
import { commands, views } from "../../contributions.ts";
import { showOnOneLine } from "../../core/approvals/describeQuestion.ts";
import { DisposableStore } from "../../core/base/disposable.ts";
import type { Approval } from "../../core/runs/approval.ts";
import { plainText } from "../errors/plainText.ts";
import type { ReportFailure } from "../errors/reportFailure.ts";
import type { WorkspaceRuntimes } from "../workspaceRuntimes.ts";
import { answer } from "./answerCommands.ts";
import { describeHere } from "./describeHere.ts";
import type { FolderApproval } from "./approvalRows.ts";

/** A question that stands alone for so long gets a notification of its own. */
const aloneMs = 800;
/** What a notification shows whole; of anything longer only a look at it is on offer. */
const mostShown = 120;

const buttons = { allow: "Allow Once", deny: "Deny", review: "Review" } as const;

/**
 * Says that somebody waits. The records are the truth and the view shows them all: a notification that is closed, or never
 * seen, answers nothing and loses nothing.
 */
export class ApprovalNotifier implements vscode.Disposable {
	readonly #runtimes: WorkspaceRuntimes;
	readonly #reportFailure: ReportFailure;
	readonly #own = new DisposableStore();
	readonly #told = new Set<string>();
	#timer: NodeJS.Timeout | undefined;
	#endSummary: (() => void) | undefined;
	#summary = "";
	/** Closed by the person: not shown again before something new is asked. */
	#dismissed = "";

	constructor(runtimes: WorkspaceRuntimes, reportFailure: ReportFailure) {
		this.#runtimes = runtimes;
		this.#reportFailure = reportFailure;
		this.#own.add(runtimes.onDidChangeApprovals(() => this.#look()));
		this.#own.add({ dispose: () => clearTimeout(this.#timer) });
		this.#own.add({ dispose: () => this.#endSummary?.() });
	}

	dispose(): void {
		this.#own.dispose();
	}

	#look(): void {
		clearTimeout(this.#timer);
		const waiting = this.#runtimes.approvals();
		const ids = waiting.map(({ approval }) => approval.id).join();
		if (waiting.length < 2) this.#endSummary?.();
		const [only] = waiting;
		if (waiting.length === 1 && only && !this.#told.has(only.approval.id)) {
			this.#timer = setTimeout(() => void this.#tell(only), aloneMs);
		}
		if (waiting.length > 1 && ids !== this.#summary && ids !== this.#dismissed) {
			this.#timer = setTimeout(() => this.#summarize(waiting.length, ids), aloneMs);
		}
	}

	/** One question: what would happen, if all of it can be shown, with its answers. */
	async #tell(asked: FolderApproval): Promise<void> {
		const { approval } = asked;
		this.#told.add(approval.id);
		const text = plainText(`${approval.agentPath} wants to ${showOnOneLine(describeHere(approval), mostShown)}`);
		const offered = isShownWhole(approval)
			? [buttons.allow, buttons.deny, buttons.review]
			: [buttons.review, buttons.deny];
		const chosen = await vscode.window.showWarningMessage(`${text} (${approval.id.slice(-6)})`, ...offered);
		try {
			if (chosen === buttons.allow) await answer(asked, { verdict: "allow" }, "notification");
			else if (chosen === buttons.deny) await answer(asked, { verdict: "deny" }, "notification");
			else if (chosen === buttons.review) await vscode.commands.executeCommand(commands.reviewApproval.id, approval.id);
		} catch (error) {
			this.#reportFailure("Answer", error);
		}
	}

	/** Several: their number, and the way to the view. Cancelling it means later. */
	#summarize(count: number, ids: string): void {
		this.#endSummary?.();
		for (const { approval } of this.#runtimes.approvals()) this.#told.add(approval.id);
		this.#summary = ids;
		const title = `Muster: ${count} subagents' questions wait for you. [Review](command:${views.approvals}.focus)`;
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

/** A command or an address is all there is to it; what goes into a file is not in its name. */
function isShownWhole(approval: Approval): boolean {
	const text = describeHere(approval);
	return approval.effect !== "write" && approval.effect !== "none" && showOnOneLine(text, mostShown) === text;
}
