import * as vscode from "vscode";
import { planViewScheme } from "../../contributions.ts";
import { DisposableStore } from "../../core/base/disposable.ts";
import type { WorkspaceRuntimes } from "../workspaceRuntimes.ts";
import { findPlan, type FolderPlan } from "./planRows.ts";

/** What belongs to a plan and can only be read: each text that it had, and what was done when it was carried out. */
export class PlanViews implements vscode.TextDocumentContentProvider, vscode.Disposable {
	readonly #runtimes: WorkspaceRuntimes;
	readonly #own = new DisposableStore();
	readonly #changed = this.#own.add(new vscode.EventEmitter<vscode.Uri>());

	readonly onDidChange = this.#changed.event;

	constructor(runtimes: WorkspaceRuntimes) {
		this.#runtimes = runtimes;
		this.#own.add(vscode.workspace.registerTextDocumentContentProvider(planViewScheme, this));
		this.#own.add(runtimes.onDidChange(() => this.#refreshWork()));
	}

	/** The plan as the subagent made it, beside what it became. */
	async compare({ plan, runtime }: FolderPlan): Promise<void> {
		const revisions = await runtime.plans.revisions(plan.id);
		const [first] = revisions;
		const last = revisions.at(-1);
		if (!first || !last || first === last) {
			void vscode.window.showInformationMessage("This plan is as the subagent made it.");
			return;
		}
		const [left, right] = [first, last].map(({ revision }) => uriOf(plan.id, `revision ${revision}`));
		await vscode.commands.executeCommand("vscode.diff", left, right, "The plan: as made ↔ as edited");
	}

	async openWork({ plan }: FolderPlan): Promise<void> {
		const document = await vscode.workspace.openTextDocument(uriOf(plan.id, workName));
		await vscode.window.showTextDocument(document, { preview: true });
	}

	async provideTextDocumentContent(uri: vscode.Uri): Promise<string> {
		const [, id = "", last = ""] = uri.path.split("/");
		const { plan, runtime } = await findPlan(this.#runtimes, id);
		const name = last.replace(/\.muster-plan$/u, "");
		if (name === workName) return runtime.plans.describeWork(plan.id, (file) => vscode.workspace.asRelativePath(file));
		const revisions = await runtime.plans.revisions(plan.id);
		return revisions.find(({ revision }) => name === `revision ${revision}`)?.text ?? "";
	}

	dispose(): void {
		this.#own.dispose();
	}

	/** It grows while the plan is carried out. */
	#refreshWork(): void {
		for (const { uri } of vscode.workspace.textDocuments) {
			if (uri.scheme === planViewScheme && uri.path.includes(`/${workName}.`)) this.#changed.fire(uri);
		}
	}
}

const workName = "What was done";

function uriOf(planId: string, name: string): vscode.Uri {
	return vscode.Uri.from({ scheme: planViewScheme, path: `/${planId}/${name}.muster-plan` });
}
