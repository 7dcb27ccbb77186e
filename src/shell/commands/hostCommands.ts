import * as vscode from "vscode";
import { titleOf } from "../../core/runs/run.ts";
import { isTerminal } from "../../core/runs/runState.ts";
import type { Host } from "../../core/store/hosts.ts";
import { describeHolder } from "../../core/store/readOnly.ts";
import { plainText } from "../errors/plainText.ts";
import type { FolderRun, WorkspaceRuntimes } from "../workspaceRuntimes.ts";
import { pickRun } from "./pickRun.ts";
import type { CommandHandlers } from "./registerCommands.ts";

/** How long another window may take to stop a run before a person hears that it does not answer. */
const stopPatienceMs = 5_000;
const listedRuns = 10;

/** What people do about a window that has subagents and does not answer. */
export function createHostCommands(runtimes: WorkspaceRuntimes): Pick<CommandHandlers, "endHost"> {
	return {
		async endHost(argument) {
			const found = await pickRun(runtimes, argument, {
				placeholder: "Whose window is to be ended?",
				none: "Every window answers.",
				isOffered: ({ run, runtime }) => runtime.control.isUnanswered(run),
			});
			if (found) await endHostOf(found);
		},
	};
}

/** Says so when the window that has a run has not stopped it in time. Not awaited by who stops. */
export async function warnIfUnanswered(found: FolderRun): Promise<void> {
	const { run, runtime } = found;
	const host = await runtime.control.findOtherHost(run);
	if (!host || (await runtime.untilEnded(run.id, stopPatienceMs))) return;
	const end = "End It…";
	const message = `“${titleOf(run)}” has not stopped: ${describeHolder(host)} has it and does not answer. It stops when that one answers, or when you end it.`;
	if ((await vscode.window.showWarningMessage(plainText(message), end)) === end) await endHostOf(found);
}

/** Says first what will happen to each of its runs: the window may only be slow. */
async function endHostOf({ run, runtime }: FolderRun): Promise<void> {
	const host = await runtime.control.findOtherHost(run);
	if (!host) return tell("The window that had it has ended already.");
	const end = "End It";
	const question = `End ${describeHolder(host)}, which does not answer?`;
	const detail = describeEnd(host, runtime);
	if ((await vscode.window.showWarningMessage(question, { modal: true, detail }, end)) !== end) return;
	const { lost, parked } = await runtime.control.endHost(host);
	tell(`${lost.length} ended as lost, ${parked.length} parked. “Muster: Resume Subagent” lets them go on here.`);
}

function describeEnd({ id }: Host, runtime: FolderRun["runtime"]): string {
	const theirs = runtime.runs
		.list()
		.filter((run) => run.hostId === id && !isTerminal(run.state) && run.hold !== "parked");
	const lines = theirs.slice(0, listedRuns).map((run) => {
		const what = run.state === "queued" ? "is parked" : "ends as lost";
		return plainText(`• ${run.agentId}: ${titleOf(run)} ${what}`);
	});
	const more = theirs.length - lines.length;
	return [
		...lines,
		...(more > 0 ? [`… and ${more} more`] : []),
		"",
		"What they have done until now stays, and each can be resumed here. The window itself stays open: if it comes back, it stops what it was doing and goes on without them.",
	].join("\n");
}

/** Not awaited: a notification may stay for hours. */
function tell(message: string): void {
	void vscode.window.showInformationMessage(message);
}
