import * as vscode from "vscode";
import { commands } from "../../contributions.ts";
import { messageOf, ProblemError, unreachable, type Problem, type Remedy } from "../../core/base/errors.ts";
import type { Logger } from "../../core/ports/logger.ts";
import { plainText } from "./plainText.ts";

export type ReportFailure = (what: string, error: unknown) => void;

/** The one place where a failure reaches the person: a problem with its remedies as buttons, a bug with the log. */
export function createReportFailure(logger: Logger): ReportFailure {
	return (what, error) => {
		if (error instanceof ProblemError) {
			logger.warn(`${what}: ${error.message}`, { code: error.problem.code });
			void showProblem(error.problem);
			return;
		}
		logger.error(`${what}: ${error instanceof Error ? (error.stack ?? error.message) : messageOf(error)}`);
		const message = `“${what}” did not work because of an unexpected error: ${plainText(messageOf(error))}`;
		void showProblem({
			code: "bug",
			message,
			remedies: [{ kind: "runCommand", command: commands.showLog.id, title: commands.showLog.title }],
		});
	};
}

async function showProblem({ message, remedies = [] }: Problem): Promise<void> {
	const labels = remedies.map(labelOf);
	const chosen = await vscode.window.showErrorMessage(plainText(message), ...labels);
	const remedy = remedies[labels.indexOf(chosen ?? "")];
	if (remedy) await apply(remedy);
}

function labelOf(remedy: Remedy): string {
	switch (remedy.kind) {
		case "openFile":
			return "Open File";
		case "moveToSecretStorage":
			return commands.moveSecret.title;
		case "openSetting":
			return "Open Setting";
		case "runCommand":
			return remedy.title;
		default:
			return unreachable(remedy);
	}
}

async function apply(remedy: Remedy): Promise<void> {
	switch (remedy.kind) {
		case "openFile": {
			const line = (remedy.line ?? 1) - 1;
			await vscode.window.showTextDocument(vscode.Uri.file(remedy.path), {
				selection: new vscode.Range(line, 0, line, 0),
			});
			return;
		}
		case "moveToSecretStorage":
			// It opens the file: a notification is no place to change one unseen.
			await vscode.commands.executeCommand(commands.moveSecret.id, remedy);
			return;
		case "openSetting":
			await vscode.commands.executeCommand("workbench.action.openSettings", remedy.setting);
			return;
		case "runCommand":
			await vscode.commands.executeCommand(remedy.command);
	}
}
