import * as vscode from "vscode";
import { titleOf } from "../../core/runs/run.ts";
import { isTerminal } from "../../core/runs/runState.ts";
import { plainText } from "../errors/plainText.ts";
import type { FolderRun, WorkspaceRuntimes } from "../workspaceRuntimes.ts";
import { warnIfUnanswered } from "./hostCommands.ts";
import { pickRun } from "./pickRun.ts";
import type { CommandHandlers } from "./registerCommands.ts";
import { requireTrust } from "./requireTrust.ts";
import { spawnAgent } from "./spawnCommand.ts";

type RunCommandName =
	| "stopRun"
	| "stopAll"
	| "sendMessage"
	| "pauseRun"
	| "continueRun"
	| "resumeRun"
	| "resumeParked"
	| "startNext"
	| "pauseQueue"
	| "continueQueue"
	| "spawnAgain";

const isLive = ({ run }: FolderRun) => !isTerminal(run.state);
const isQueued = ({ run }: FolderRun) => run.state === "queued" && run.hold === null;
const isParked = ({ run }: FolderRun) => run.hold === "parked";

/** What people do with runs that live, and with what goes on from one. Each acts on its row, or asks which. */
export function createRunCommands(
	runtimes: WorkspaceRuntimes,
	showSpawned: (runId: string | undefined) => Promise<string | undefined>,
): Pick<CommandHandlers, RunCommandName> {
	const pick = (argument: unknown, placeholder: string, none: string, isOffered: (run: FolderRun) => boolean) =>
		pickRun(runtimes, argument, { placeholder, none, isOffered });
	return {
		async stopRun(argument) {
			const found = await pick(argument, "Which subagent is to stop?", "No subagent is running.", isLive);
			if (!found) return;
			await found.runtime.stop(found.run.id);
			void warnIfUnanswered(found);
		},
		stopAll: () => stopAll(runtimes),
		async sendMessage(argument) {
			requireTrust();
			const found = await pick(argument, "Which subagent is it for?", "Nothing has run here yet.", () => true);
			return found && sendMessage(found);
		},
		async pauseRun(argument) {
			const isOffered = ({ run }: FolderRun) => !isTerminal(run.state) && run.hold === null;
			const found = await pick(argument, "Which subagent is to pause?", "No subagent is running.", isOffered);
			await found?.runtime.control.pause(found.run.id);
		},
		async continueRun(argument) {
			const isOffered = ({ run }: FolderRun) => run.hold === "paused";
			const found = await pick(argument, "Which subagent is to go on?", "No subagent is paused.", isOffered);
			await found?.runtime.control.continue(found.run.id);
		},
		async resumeRun(argument) {
			requireTrust();
			const isOffered = (found: FolderRun) => isParked(found) || (!isLive(found) && found.run.state !== "ok");
			const found = await pick(argument, "Which subagent is to go on?", "No subagent was cut off.", isOffered);
			return found && showSpawned(await resume(found));
		},
		resumeParked: () => resumeParked(runtimes),
		async startNext(argument) {
			const found = await pick(argument, "Which subagent is to start next?", "No subagent is queued.", isQueued);
			await found?.runtime.control.startNext(found.run.id);
		},
		pauseQueue: () => pauseQueue(runtimes, true),
		continueQueue: () => pauseQueue(runtimes, false),
		async spawnAgain(argument) {
			const found = await pick(argument, "Which one again?", "Nothing has run here yet.", () => true);
			if (!found) return undefined;
			const { agentId: name, task, request } = found.run;
			const { planMode, context } = request;
			const options = { planMode, task, ...(context !== null && { context }) };
			return showSpawned(await spawnAgent(runtimes, { name, folder: found.folder }, options));
		},
	};
}

async function stopAll(runtimes: WorkspaceRuntimes): Promise<void> {
	await runtimes.open();
	const live = runtimes.list().filter(isLive);
	if (live.length === 0) return tell("No subagent is running.");
	const detail = `${listTitles(live)}\n\nWhat they have done until now stays, and so do their transcripts.`;
	const stop = "Stop All";
	const question = live.length === 1 ? "Stop the one subagent at work?" : `Stop all ${live.length} subagents?`;
	if ((await vscode.window.showWarningMessage(question, { modal: true, detail }, stop)) !== stop) return;
	await Promise.all(live.map(({ run, runtime }) => runtime.stop(run.id)));
}

/** A run at work reads it at its next step; one that has ended answers in a new run with its history. */
async function sendMessage({ run, runtime }: FolderRun): Promise<string | undefined> {
	const title = titleOf(run);
	const text = await vscode.window.showInputBox({
		title: `Message to ${run.agentId}: ${title}`,
		prompt: isTerminal(run.state)
			? "It has ended: it answers in a new run, and remembers this one."
			: "It reads this at its next step, and goes on.",
		ignoreFocusOut: true,
		validateInput: (value) => (value.trim() === "" ? "Say something." : undefined),
	});
	if (text === undefined) return undefined;
	const sent = await runtime.control.send(await runtime.control.session(run.sessionId), text);
	if (sent.kind === "steered") tell(plainText(`${run.agentId} reads your message at its next step: “${title}”`));
	return sent.run.id;
}

async function resume({ run, runtime }: FolderRun): Promise<string> {
	if (run.hold !== "parked") return (await runtime.control.resume(run)).id;
	await runtime.resumeParked(run.id);
	return run.id;
}

/** Says first what will start, and where: it may be days ago that it was asked for. */
async function resumeParked(runtimes: WorkspaceRuntimes): Promise<void> {
	requireTrust();
	await runtimes.open();
	const parked = runtimes.list().filter(isParked);
	if (parked.length === 0) return tell("No subagent is parked.");
	const resumed = "Resume";
	const question = parked.length === 1 ? "Resume one parked subagent?" : `Resume ${parked.length} parked subagents?`;
	const detail = `${listTitles(parked)}\n\nThey had not started when their window closed.`;
	if ((await vscode.window.showInformationMessage(question, { modal: true, detail }, resumed)) !== resumed) return;
	await Promise.all(parked.map(({ run, runtime }) => runtime.resumeParked(run.id)));
}

async function pauseQueue(runtimes: WorkspaceRuntimes, isPaused: boolean): Promise<void> {
	await runtimes.open();
	await Promise.all(runtimes.opened().map(({ control }) => control.pauseQueue(isPaused)));
	tell(
		isPaused
			? "The queue is paused: no subagent starts until “Muster: Continue the Queue”. Those at work go on."
			: "The queue goes on.",
	);
}

/** As many as a dialog can show, with the folder they work in. */
function listTitles(found: readonly FolderRun[]): string {
	const lines = found
		.slice(0, 10)
		.map(({ run, folder }) =>
			plainText(`• ${run.agentId}: ${titleOf(run)} (${run.request.repoDir ?? folder ?? "no folder"})`),
		);
	const more = found.length - lines.length;
	return [...lines, ...(more > 0 ? [`… and ${more} more`] : [])].join("\n");
}

/** Not awaited: a notification may stay for hours. */
function tell(message: string): void {
	void vscode.window.showInformationMessage(message);
}
