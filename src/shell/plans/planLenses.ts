import * as vscode from "vscode";
import { commands, planLanguage, planScheme } from "../../contributions.ts";
import { DisposableStore } from "../../core/base/disposable.ts";
import type { WorkspaceRuntimes } from "../workspaceRuntimes.ts";
import type { PlanFiles } from "./planFiles.ts";
import type { PlanTickets } from "./planRows.ts";

/** The bar above a plan: what can be decided, and what approving it would open. */
export class PlanLenses implements vscode.CodeLensProvider, vscode.Disposable {
	readonly #files: PlanFiles;
	readonly #tickets: PlanTickets;
	readonly #own = new DisposableStore();
	readonly #changed = this.#own.add(new vscode.EventEmitter<void>());

	readonly onDidChangeCodeLenses = this.#changed.event;

	constructor(files: PlanFiles, tickets: PlanTickets, runtimes: WorkspaceRuntimes) {
		this.#files = files;
		this.#tickets = tickets;
		this.#own.add(vscode.languages.registerCodeLensProvider({ language: planLanguage, scheme: planScheme }, this));
		this.#own.add(runtimes.onDidChangePlans(() => this.#changed.fire()));
	}

	async provideCodeLenses(document: vscode.TextDocument): Promise<vscode.CodeLens[]> {
		const found = await this.#files.find(document.uri);
		if (!found) return [];
		const { plan } = found;
		const { describeScope, readPlanScope } = await import("../../core/plans/planScope.ts");
		const top = new vscode.Range(0, 0, 0, 0);
		const lens = (command: { readonly id: string }, title: string, ...args: unknown[]) =>
			new vscode.CodeLens(top, { command: command.id, title, arguments: args });
		const scope = readPlanScope(document.getText());
		const about = [describeScope(scope), ...scope.problems].join(" · ");
		const revise = plan.revision > 1 ? [lens(commands.comparePlan, "$(diff) What was edited", plan.id)] : [];
		if (plan.state !== "awaiting") {
			const done =
				plan.state === "approved" ? [lens(commands.showPlanWork, "$(checklist) What was done", plan.id)] : [];
			return [lens(commands.openPlan, describeDecision(plan.state), plan.id), ...done, ...revise];
		}
		const ticket = this.#tickets.mint(plan);
		return [
			lens(commands.approvePlan, "$(check) Approve", ticket),
			lens(commands.rejectPlan, "$(discard) Reject…", ticket),
			lens(commands.closePlan, "$(close) Close Plan", ticket),
			lens(commands.openPlan, about, plan.id),
			...revise,
		];
	}

	dispose(): void {
		this.#own.dispose();
	}
}

function describeDecision(state: string): string {
	return state === "failed" ? "This plan was not finished" : `This plan is ${state}`;
}
