import * as vscode from "vscode";
import { titleOf } from "../../core/runs/run.ts";
import { plainText } from "../errors/plainText.ts";
import type { FolderRun, WorkspaceRuntimes } from "../workspaceRuntimes.ts";
import { pickRun } from "./pickRun.ts";
import type { CommandHandlers } from "./registerCommands.ts";

const isUndelivered = ({ run }: FolderRun) => run.undelivered !== null;

/** What people decide about results that did not reach who asked for them. */
export function createDeliveryCommands(
	runtimes: WorkspaceRuntimes,
): Pick<CommandHandlers, "retryDelivery" | "dismissDelivery"> {
	const pick = (argument: unknown, placeholder: string) =>
		pickRun(runtimes, argument, { placeholder, none: "Every result has been delivered.", isOffered: isUndelivered });
	return {
		async retryDelivery(argument) {
			const found = await pick(argument, "Whose result is to be delivered again?");
			if (found) await retry(found);
		},
		async dismissDelivery(argument) {
			const found = await pick(argument, "Whose result need not be delivered any more?");
			await found?.runtime.control.dismissDelivery(found.run.id);
		},
	};
}

async function retry({ run, runtime }: FolderRun): Promise<void> {
	const { undelivered } = await runtime.control.retryDelivery(run.id);
	if (undelivered === null) return;
	const why = undelivered === "dead_letter" ? "Who asked for it is gone." : "Who asked for it could not be reached.";
	const message = `The result of “${titleOf(run)}” could not be delivered. ${why} Its transcript has it; dismiss it when you have read it.`;
	void vscode.window.showWarningMessage(plainText(message));
}
