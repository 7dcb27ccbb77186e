import * as vscode from "vscode";
import { commands } from "../../contributions.ts";
import { ProblemError } from "../../core/base/errors.ts";
import type { AgentDefinition } from "../../core/agents/agentDefinition.ts";
import { keyChain, usersKeys } from "../../core/models/keyChain.ts";
import type { SecretPlace } from "../../core/ports/secrets.ts";
import type { Connection } from "../../core/models/httpProvider.ts";
import { findKeyProblem, type FoundKey } from "../../core/models/providerKey.ts";
import type { ServerProvider } from "../../core/models/serverProvider.ts";
import { plainText } from "../errors/plainText.ts";
import { addServer } from "./addServer.ts";
import type { EditorModels } from "./editorModels.ts";
import { untilCancelled } from "./untilCancelled.ts";

interface ProviderItem extends vscode.QuickPickItem {
	/** Absent: one that is not configured yet. */
	readonly provider?: KeyOwner;
}

/** Whoever a key can be entered for: a server with models, or the search service. */
interface KeyOwner extends Pick<ServerProvider, "id" | "label" | "origin" | "needsKey" | "findKey"> {
	readonly keyVariable?: string | undefined;
	/** Missing where agents have no keys of their own. */
	readonly forAgents?: ServerProvider["forAgents"];
	/** Of this agent alone. */
	readonly agentId?: string;
	withKey(key: string | undefined): { testConnection(signal: AbortSignal): Promise<Connection> };
}

/** Asks for a provider and its key, tries the key, and keeps it. Returns the provider's id when there is a new key. */
export async function setApiKeyCommand(models: EditorModels): Promise<string | undefined> {
	const picked = await vscode.window.showQuickPick<ProviderItem>(listProviders(models), {
		title: "Set API Key",
		placeHolder: "Whose key?",
		ignoreFocusOut: true,
	});
	if (!picked) return undefined;
	const shared: KeyOwner | undefined = picked.provider ?? (await addServer(models));
	const provider = shared && (await chooseAgent(shared, models));
	if (!provider) return undefined;
	if (picked.provider && (await isEntered(provider)) && !(await askToReplace(provider, models))) return undefined;
	const isOptional = !provider.needsKey;
	const key = await vscode.window.showInputBox({
		title: `Set API Key: ${provider.label}`,
		prompt: `It is kept in VS Code's Secret Storage and sent to ${provider.origin} only.${isOptional ? " Leave it empty if the server needs none." : ""}`,
		password: true,
		ignoreFocusOut: true,
		validateInput: (text) => (isOptional && text.trim() === "" ? undefined : findKeyProblem(text)),
	});
	if (key === undefined) return undefined;
	return keep(provider, key.trim(), models);
}

/** The same owner, for all agents or for one. Asked only where there are agents that can have a key of their own. */
async function chooseAgent(owner: KeyOwner, models: EditorModels): Promise<KeyOwner | undefined> {
	const agents = owner.forAgents ? await models.keyedAgents() : [];
	if (agents.length === 0) return owner;
	const all = { label: "All agents", detail: "Of whatever has no key of its own", agent: undefined };
	const items = agents.map((agent) => ({ label: agent.name, detail: describeFallback(agent), agent }));
	const picked = await vscode.window.showQuickPick([all, ...items], {
		title: `Set API Key: ${owner.label}`,
		placeHolder: "Which agent's?",
		ignoreFocusOut: true,
	});
	const agentId = picked?.agent?.name;
	if (agentId === undefined) return picked && owner;
	const own = owner.forAgents?.({ agents: [agentId], isShared: false });
	return own && { ...own, agentId, label: `${own.label} (${agentId})` };
}

/** What holds while it has no key of its own. */
function describeFallback(agent: AgentDefinition): string {
	return keyChain(agent, usersKeys).isShared
		? 'Without one it uses that of who spawns it (auth_fallback = "parent")'
		: 'Without one it has none (auth_fallback = "none")';
}

async function listProviders(models: EditorModels): Promise<ProviderItem[]> {
	const servers = [...(await models.servers()).filter(({ isLocal }) => !isLocal), ...listSearch(models)];
	const items = await Promise.all(
		servers.map(async (provider): Promise<ProviderItem> => {
			const key = await provider.findKey().catch(() => "unreadable" as const);
			return { label: provider.label, description: describeKey(provider, key), detail: provider.origin, provider };
		}),
	);
	return [
		...items,
		{ label: "", kind: vscode.QuickPickItemKind.Separator },
		{
			label: "$(add) OpenAI-compatible server…",
			detail: "Any address that speaks Chat Completions: OpenRouter, vLLM, llama.cpp, …",
		},
	];
}

function listSearch(models: EditorModels): KeyOwner[] {
	const search = models.findSearch();
	if (search?.origin === undefined || search.keyVariable === undefined) return [];
	return [{ ...search, origin: search.origin, needsKey: true }];
}

function describeKey({ keyVariable }: KeyOwner, key: FoundKey | undefined | "unreadable"): string {
	if (key === "unreadable") return "the key cannot be read";
	if (key?.from === "entered") return "has a key";
	if (key) return `has a key in ${key.variable ?? "the environment"}`;
	return keyVariable === undefined ? "" : "no key";
}

async function isEntered(provider: KeyOwner): Promise<boolean> {
	const key = await provider.findKey().catch(() => undefined);
	return key?.from === "entered";
}

/** Whether a key is to be entered in place of the one that is there. */
async function askToReplace(provider: KeyOwner, models: EditorModels): Promise<boolean> {
	const replace = { label: "Enter another key" };
	const remove = { label: "Remove the key" };
	const chosen = await vscode.window.showQuickPick([replace, remove], {
		title: `Set API Key: ${provider.label}`,
		placeHolder: `${provider.label} has a key already.`,
		ignoreFocusOut: true,
	});
	if (chosen === remove) {
		await models.secrets.delete(placeOf(provider));
		tell(`The key of ${provider.label} was removed.`);
	}
	return chosen === replace;
}

/** A key that the server refuses is not kept; one that could not be tried is. */
async function keep(provider: KeyOwner, key: string, models: EditorModels): Promise<string | undefined> {
	const connection = await test(provider, key);
	if (connection !== "cancelled" && !connection.ok && connection.error.kind === "auth") {
		throw new ProblemError({
			code: "key.refused",
			message: `${provider.label} does not accept this key, so it was not kept: ${connection.error.message}`,
			remedies: [{ kind: "runCommand", command: commands.setApiKey.id, title: "Enter Again" }],
		});
	}
	if (key !== "") await models.secrets.set(placeOf(provider), key);
	if (connection === "cancelled" || (connection.ok && connection.isUntried))
		tell(`${keptText(provider, key)} It was not tried.`);
	else if (connection.ok) tell(`${keptText(provider, key)} The connection works.`);
	else warn(`${keptText(provider, key)} But the connection does not work now: ${connection.error.message}`);
	return provider.id;
}

function placeOf({ id: providerId, origin, agentId }: KeyOwner): SecretPlace {
	return { providerId, origin, ...(agentId !== undefined && { agentId }) };
}

const keptText = ({ label }: KeyOwner, key: string) =>
	key === "" ? `${label} is set up without a key.` : `The key of ${label} is kept.`;

async function test(provider: KeyOwner, key: string): Promise<Connection | "cancelled"> {
	const options = {
		location: vscode.ProgressLocation.Notification,
		title: `Connecting to ${provider.label}…`,
		cancellable: true,
	};
	return vscode.window.withProgress(options, async (_, token) => {
		const connection = await untilCancelled(token, (signal) =>
			provider.withKey(key === "" ? undefined : key).testConnection(signal),
		);
		return token.isCancellationRequested ? "cancelled" : connection;
	});
}

/** Not awaited: a notification may stay for hours. */
function tell(message: string): void {
	void vscode.window.showInformationMessage(plainText(message), commands.pickModel.title).then(pickModel);
}

function warn(message: string): void {
	void vscode.window.showWarningMessage(plainText(message), commands.pickModel.title).then(pickModel);
}

async function pickModel(chosen: string | undefined): Promise<void> {
	if (chosen !== undefined) await vscode.commands.executeCommand(commands.pickModel.id);
}
