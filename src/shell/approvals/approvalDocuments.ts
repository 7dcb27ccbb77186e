import { readFile } from "node:fs/promises";
import path from "node:path";
import * as vscode from "vscode";
import { approvalScheme } from "../../contributions.ts";
import { DisposableStore } from "../../core/base/disposable.ts";
import { describeAnswer } from "../../core/runs/describeAnswer.ts";
import type { WorkspaceRuntimes } from "../workspaceRuntimes.ts";
import type { FolderApproval } from "./approvalRows.ts";

/** Questions as read-only documents in plain text, to the byte: nothing in them is a link that could do something. */
export class ApprovalDocuments implements vscode.TextDocumentContentProvider, vscode.Disposable {
	readonly #runtimes: WorkspaceRuntimes;
	readonly #own = new DisposableStore();

	constructor(runtimes: WorkspaceRuntimes) {
		this.#runtimes = runtimes;
		this.#own.add(vscode.workspace.registerTextDocumentContentProvider(approvalScheme, this));
	}

	/** A change of a file as a diff, anything else as text. */
	async open({ approval }: FolderApproval): Promise<void> {
		const { textAfterCall } = await import("../../core/approvals/renderQuestion.ts");
		const file = vscode.Uri.file(approval.subject);
		const current = approval.effect === "write" ? await readCurrent(file) : undefined;
		const after = current === undefined ? undefined : textAfterCall(approval, current.text);
		if (current === undefined || after === undefined) return this.#openText(approval.id);
		const name = path.basename(approval.subject);
		const left = current.exists ? file : this.#uri(approval.id, `empty/${name}`);
		const title = `${name}: what ${approval.agentPath} wants to write`;
		await vscode.commands.executeCommand("vscode.diff", left, this.#uri(approval.id, `after/${name}`), title);
	}

	async provideTextDocumentContent(uri: vscode.Uri): Promise<string> {
		await this.#runtimes.open();
		const approval = await this.#find(uri.query);
		if (!approval) return "There is no such question in this workspace any more.\n";
		if (uri.path.startsWith("/empty/")) return "";
		const { renderQuestion, textAfterCall } = await import("../../core/approvals/renderQuestion.ts");
		if (uri.path.startsWith("/after/")) {
			const current = await readCurrent(vscode.Uri.file(approval.subject));
			return (
				textAfterCall(approval, current?.text ?? "") ?? "The file has changed: this edit does not fit it any more.\n"
			);
		}
		const answer = approval.state === "waiting" ? "" : `${describeAnswer(approval)}.\n\n`;
		return answer + renderQuestion(approval);
	}

	dispose(): void {
		this.#own.dispose();
	}

	async #openText(id: string): Promise<void> {
		const document = await vscode.workspace.openTextDocument(this.#uri(id, "question.txt"));
		await vscode.window.showTextDocument(document, { preview: true });
	}

	#uri(id: string, name: string): vscode.Uri {
		return vscode.Uri.from({ scheme: approvalScheme, path: `/${name}`, query: id });
	}

	async #find(id: string) {
		for (const runtime of this.#runtimes.opened()) {
			const found = await runtime.approvals.find(id).catch(() => undefined);
			if (found) return found;
		}
		return undefined;
	}
}

/** What a person has open and not saved counts. Undefined for what cannot be shown as text. */
async function readCurrent(file: vscode.Uri): Promise<{ text: string; exists: boolean } | undefined> {
	const open = vscode.workspace.textDocuments.find(({ uri }) => uri.toString() === file.toString());
	if (open) return { text: open.getText(), exists: true };
	try {
		return { text: new TextDecoder("utf-8", { fatal: true }).decode(await readFile(file.fsPath)), exists: true };
	} catch (error) {
		const isMissing =
			error instanceof Error && "code" in error && (error.code === "ENOENT" || error.code === "ENOTDIR");
		return isMissing ? { text: "", exists: false } : undefined;
	}
}
