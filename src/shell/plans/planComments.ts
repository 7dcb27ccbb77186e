import * as vscode from "vscode";
import { commands, commentContextValues, planScheme } from "../../contributions.ts";
import { DisposableStore } from "../../core/base/disposable.ts";
import type { PlanComment } from "../../core/runs/plan.ts";
import type { ReportFailure } from "../errors/reportFailure.ts";
import type { WorkspaceRuntimes } from "../workspaceRuntimes.ts";
import type { PlanFiles } from "./planFiles.ts";

/** Remarks on the lines of plans, kept with the plan: they become the reasons when it is rejected. */
export class PlanComments implements vscode.Disposable {
	readonly #files: PlanFiles;
	readonly #reportFailure: ReportFailure;
	readonly #own = new DisposableStore();
	readonly #controller = this.#own.add(vscode.comments.createCommentController("muster.plan", "Muster Plan"));
	/** By the uri of the plan's document. */
	readonly #threads = new Map<string, vscode.CommentThread[]>();

	constructor(files: PlanFiles, runtimes: WorkspaceRuntimes, reportFailure: ReportFailure) {
		this.#files = files;
		this.#reportFailure = reportFailure;
		this.#controller.options = { prompt: "What is to be different here?", placeHolder: "A remark for the subagent" };
		this.#controller.commentingRangeProvider = {
			provideCommentingRanges: ({ uri, lineCount }) =>
				uri.scheme === planScheme ? [new vscode.Range(0, 0, Math.max(0, lineCount - 1), 0)] : [],
		};
		for (const document of vscode.workspace.textDocuments) this.#draw(document);
		this.#own.add(vscode.workspace.onDidOpenTextDocument((document) => this.#draw(document)));
		this.#own.add(runtimes.onDidChangePlans(() => vscode.workspace.textDocuments.forEach((each) => this.#draw(each))));
	}

	/** Keeps what was typed under a line. */
	async add(reply: vscode.CommentReply): Promise<void> {
		const { thread, text } = reply;
		const found = await this.#files.find(thread.uri);
		if (!found || text.trim() === "") return;
		const line = (thread.range?.start.line ?? 0) + 1;
		const document = await vscode.workspace.openTextDocument(thread.uri);
		const quoted = document.lineAt(Math.min(line, document.lineCount) - 1).text;
		const { id: planId, revision } = found.plan;
		thread.dispose();
		await found.runtime.plans.comment({ planId, revision, line, quoted, text: text.trim() });
	}

	async remove(thread: vscode.CommentThread): Promise<void> {
		const found = await this.#files.find(thread.uri);
		for (const comment of thread.comments) {
			if (comment instanceof Remark) await found?.runtime.plans.removeComment(comment.id);
		}
	}

	dispose(): void {
		this.#own.dispose();
	}

	#draw(document: vscode.TextDocument): void {
		if (document.uri.scheme !== planScheme) return;
		this.#redraw(document).catch((error: unknown) => this.#reportFailure("Show remarks", error));
	}

	async #redraw({ uri, lineCount }: vscode.TextDocument): Promise<void> {
		const found = await this.#files.find(uri);
		const comments = found ? await found.runtime.plans.comments(found.plan.id) : [];
		for (const thread of this.#threads.get(uri.toString()) ?? []) thread.dispose();
		const threads = comments.map((comment) => {
			const line = Math.min(comment.line, lineCount) - 1;
			const remark = new Remark(comment);
			const thread = this.#controller.createCommentThread(uri, new vscode.Range(line, 0, line, 0), [remark]);
			thread.contextValue = commentContextValues.remark;
			thread.canReply = false;
			thread.label = commands.rejectPlan.title;
			return thread;
		});
		this.#threads.set(uri.toString(), threads);
	}
}

class Remark implements vscode.Comment {
	readonly id: string;
	readonly body: string;
	readonly mode = vscode.CommentMode.Preview;
	readonly author = { name: "You" };

	constructor({ id, text }: PlanComment) {
		this.id = id;
		// As it was typed: text, not Markdown.
		this.body = text;
	}
}
