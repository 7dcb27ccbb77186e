import path from "node:path";
import * as vscode from "vscode";
import { titleOf, type Run } from "../../core/runs/run.ts";
import { isTerminal } from "../../core/runs/runState.ts";
import { plainText } from "../errors/plainText.ts";
import { modelLabel } from "../modelLabel.ts";
import type { TranscriptDocuments } from "../transcript/transcriptDocuments.ts";
import type { FolderRun, WorkspaceRuntimes } from "../workspaceRuntimes.ts";
import { pickRun } from "./pickRun.ts";
import type { CommandHandlers } from "./registerCommands.ts";

type EndedRunCommandName = "openTranscript" | "exportTranscript" | "removeRun" | "clearFinished" | "restoreRun";

const isEnded = ({ run }: FolderRun) => isTerminal(run.state);
/** As many as anybody looks through. */
const offeredArchived = 500;

/** What people do with the records of runs. Nothing here is for ever: what is removed can be restored. */
export function createEndedRunCommands(
	runtimes: WorkspaceRuntimes,
	transcripts: TranscriptDocuments,
): Pick<CommandHandlers, EndedRunCommandName> {
	return {
		async openTranscript(argument) {
			const found = await pickRun(runtimes, argument, {
				placeholder: "Whose transcript?",
				none: "Nothing has run here yet.",
				isOffered: () => true,
			});
			if (found) await transcripts.open(found.run);
		},
		async exportTranscript(argument) {
			const found = await pickRun(runtimes, argument, {
				placeholder: "Whose transcript?",
				none: "Nothing has run here yet.",
				isOffered: () => true,
			});
			return found && exportTranscript(found, transcripts);
		},
		async removeRun(argument) {
			const found = await pickRun(runtimes, argument, {
				placeholder: "Which subagent is to leave the list?",
				none: "No subagent has ended.",
				isOffered: isEnded,
			});
			if (found) await remove([found]);
		},
		async clearFinished() {
			await runtimes.open();
			// What did not arrive waits for a decision of its own.
			const ended = runtimes.list().filter((found) => isEnded(found) && found.run.undelivered === null);
			if (ended.length === 0) void vscode.window.showInformationMessage("No subagent has ended.");
			else await remove(ended);
		},
		restoreRun: () => restore(runtimes),
	};
}

async function remove(found: readonly FolderRun[]): Promise<void> {
	await Promise.all(found.map(({ run, runtime }) => runtime.control.remove(run.id)));
	void offerUndo(found);
}

/** Not awaited by who removes: a notification may stay for hours. */
async function offerUndo(found: readonly FolderRun[]): Promise<void> {
	const [first] = found;
	const what = found.length === 1 && first ? `“${titleOf(first.run)}” has` : `${found.length} subagents have`;
	const undo = "Undo";
	const chosen = await vscode.window.showInformationMessage(
		plainText(`${what} left the list. Transcripts and usage are kept.`),
		undo,
	);
	if (chosen === undo) await Promise.all(found.map(({ run, runtime }) => runtime.control.restore(run.id)));
}

async function restore(runtimes: WorkspaceRuntimes): Promise<void> {
	await runtimes.open();
	const lists = await Promise.all(
		runtimes.opened().map(async ({ control }) => {
			const runs = await control.listArchived(offeredArchived);
			return runs.map((run) => ({ ...describe(run), run, control }));
		}),
	);
	const items = lists.flat().toSorted((one, other) => other.run.queuedAt - one.run.queuedAt);
	if (items.length === 0) {
		void vscode.window.showInformationMessage("No subagent was removed or archived.");
		return;
	}
	const chosen = await vscode.window.showQuickPick(items, {
		placeHolder: "Which subagents are to come back into the list?",
		matchOnDescription: true,
		canPickMany: true,
	});
	await Promise.all((chosen ?? []).map(({ run, control }) => control.restore(run.id)));
}

function describe(run: Run): { readonly label: string; readonly description: string } {
	const at = new Date(run.queuedAt).toLocaleString();
	return { label: titleOf(run), description: `${run.state} · ${run.agentId} · ${modelLabel(run.model)} · ${at}` };
}

async function exportTranscript(found: FolderRun, transcripts: TranscriptDocuments): Promise<void> {
	const name = `${transcripts.nameOf(found.run)}.md`;
	const defaultUri = vscode.Uri.file(path.join(found.folder ?? "", name));
	const target = await vscode.window.showSaveDialog({
		title: "Export Transcript",
		defaultUri,
		filters: { Markdown: ["md"] },
	});
	if (!target) return;
	await vscode.workspace.fs.writeFile(target, new TextEncoder().encode(await transcripts.render(found)));
	void offerToOpen(target);
}

async function offerToOpen(target: vscode.Uri): Promise<void> {
	const open = "Open";
	const message = plainText(`The transcript was written to ${target.fsPath}.`);
	if ((await vscode.window.showInformationMessage(message, open)) === open)
		await vscode.window.showTextDocument(target);
}
