import path from "node:path";
import * as vscode from "vscode";
import { commands } from "../../contributions.ts";
import type { AgentDefinition } from "../../core/agents/agentDefinition.ts";
import { ProblemError } from "../../core/base/errors.ts";
import { userSession } from "../../core/sessions/session.ts";
import type { FolderCatalog, WorkspaceCatalogs } from "../catalog/workspaceCatalogs.ts";
import { plainText } from "../errors/plainText.ts";
import type { WorkspaceRuntimes } from "../workspaceRuntimes.ts";
import { pickFolder } from "./pickFolder.ts";
import { requireTrust } from "./requireTrust.ts";

/** Who is to work, and where; the folder is undefined where the person has to say it. */
export interface AgentChoice {
	readonly name: string;
	readonly folder?: string | null | undefined;
}

export interface SpawnOptions {
	readonly planMode?: boolean;
	/** What stands in the box already. */
	readonly task?: string;
	/** What the subagent is told besides its task. */
	readonly context?: string;
}

interface ChoiceItem extends vscode.QuickPickItem {
	readonly choice?: AgentChoice;
	readonly command?: string;
}

/** Pick an agent, type a task, done: the run is accepted before this returns, and goes on by itself. Returns its id. */
export async function spawn(
	runtimes: WorkspaceRuntimes,
	catalogs: WorkspaceCatalogs,
	options: SpawnOptions = {},
): Promise<string | undefined> {
	requireTrust();
	const picked = await vscode.window.showQuickPick<ChoiceItem>(catalogs.refresh().then(toItems), {
		title: options.planMode ? "Spawn Subagent in Plan Mode (1/2)" : "Spawn Subagent (1/2)",
		placeHolder: "Which agent?",
		matchOnDescription: true,
		matchOnDetail: true,
		ignoreFocusOut: true,
	});
	if (picked?.command !== undefined) await vscode.commands.executeCommand(picked.command);
	return picked?.choice && spawnAgent(runtimes, picked.choice, options);
}

/** The same with the agent chosen already. */
export async function spawnAgent(
	runtimes: WorkspaceRuntimes,
	choice: AgentChoice,
	{ planMode, task: proposed, context }: SpawnOptions = {},
): Promise<string | undefined> {
	requireTrust();
	const { name } = choice;
	const folder = choice.folder === undefined ? await pickFolder(`Where is ${name} to work?`) : choice.folder;
	if (folder === undefined) return undefined;
	const task = await vscode.window.showInputBox({
		title: `Spawn ${name}`,
		prompt: planMode
			? "What is it to plan? It only looks, and ends with a plan for you to approve."
			: "What is it to do? It works in the background; you are told when it is done.",
		placeHolder: "e.g. Find bugs in the price calculation",
		...(proposed !== undefined && { value: proposed }),
		ignoreFocusOut: true,
		validateInput: (text) => (text.trim() === "" ? "Say what the subagent is to do." : undefined),
	});
	if (task === undefined) return undefined;
	const runtime = await runtimes.runtimeOf(folder);
	const request = { agent: name, task, ...(planMode && { planMode }), ...(context !== undefined && { context }) };
	let answer = await runtime.spawn(request);
	if (!answer.accepted && answer.isOverBudget && (await wantsOverBudget(answer.error))) {
		answer = await runtime.spawn(request, { ...runtime.person(userSession), grants: { isOverBudget: true } });
	} else if (!answer.accepted && answer.isOverBudget) return undefined;
	if (answer.status !== "accepted") throw new ProblemError({ code: `spawn.${answer.status}`, message: answer.error });
	if (answer.warning !== undefined) void vscode.window.showWarningMessage(plainText(answer.warning));
	return answer.runId;
}

async function wantsOverBudget(error: string): Promise<boolean> {
	const anyway = "Spawn Anyway";
	const options = {
		modal: true,
		detail: "It may go over the budgets of its session, its agent and the day. Its own still holds.",
	};
	return (await vscode.window.showWarningMessage(plainText(error), options, anyway)) === anyway;
}

function toItems(catalogs: readonly FolderCatalog[]): ChoiceItem[] {
	const hasSeveral = catalogs.length > 1;
	const items: ChoiceItem[] = [];
	for (const {
		folder,
		agents: { agents },
	} of catalogs) {
		const own = agents.filter((agent) => agent.layer === "repo" && agent.visibility === "user-facing");
		if (own.length > 0 && folder !== null && hasSeveral) items.push(separator(path.basename(folder)));
		items.push(...own.map((agent) => toItem(agent, folder)));
	}
	const [first] = catalogs;
	const home = (first?.agents.agents ?? []).filter(
		(agent) => agent.layer === "home" && agent.visibility === "user-facing",
	);
	if (home.length > 0)
		items.push(separator("home"), ...home.map((agent) => toItem(agent, hasSeveral ? undefined : first?.folder)));
	items.push(...configuredItems(first));
	const errors = catalogs.flatMap(({ agents }) => agents.problems.filter(({ severity }) => severity === "error"));
	const broken = [...new Set(errors.map(({ file }) => file))];
	if (broken.length > 0) items.push(separator("problems"), describeBroken(broken));
	if (items.length > 0) return items;
	const detail = "There are no agents yet. This writes three to start with, and changes nothing else.";
	return [{ label: "$(add) Set Up This Workspace", detail, command: commands.setUpWorkspace.id }];
}

/** Those of `agents.list`; the built-in main agent is no subagent that anybody looks for. */
function configuredItems(catalog: FolderCatalog | undefined): readonly ChoiceItem[] {
	const agents = [...(catalog?.config.agents.values() ?? [])].filter(({ value }) => value.id !== "main");
	const items = agents.map(({ value: { id, name = "", model = "" } }): ChoiceItem => ({
		label: id,
		description: model,
		detail: name,
		choice: { name: id, folder: catalog?.folder },
	}));
	return items.length > 0 ? [separator("configuration"), ...items] : [];
}

function describeBroken(files: readonly string[]): ChoiceItem {
	const label = `$(warning) ${files.length} agent ${files.length === 1 ? "file" : "files"} cannot be loaded`;
	return { label, description: "show Problems", detail: files.join(", "), command: "workbench.actions.view.problems" };
}

function toItem(agent: AgentDefinition, folder: string | null | undefined): ChoiceItem {
	const detail = agent.description.replaceAll(/\s+/gu, " ").trim();
	return { label: agent.name, description: agent.model ?? "", detail, choice: { name: agent.name, folder } };
}

function separator(label: string): ChoiceItem {
	return { label, kind: vscode.QuickPickItemKind.Separator };
}
