import * as vscode from "vscode";
import { commands } from "../../contributions.ts";
import { ProblemError } from "../../core/base/errors.ts";
import type { Connection } from "../../core/models/httpProvider.ts";
import { findKeyProblem, type FoundKey } from "../../core/models/providerKey.ts";
import type { ServerProvider } from "../../core/models/serverProvider.ts";
import { plainText } from "../errors/plainText.ts";
import { addServer } from "./addServer.ts";
import type { EditorModels } from "./editorModels.ts";
import { untilCancelled } from "./untilCancelled.ts";

interface ProviderItem extends vscode.QuickPickItem {
	/** Absent: one that is not configured yet. */
	readonly provider?: ServerProvider;
}

/** Asks for a provider and its key, tries the key, and keeps it. Returns the provider's id when there is a new key. */
export async function setApiKeyCommand(models: EditorModels): Promise<string | undefined> {
	const picked = await vscode.window.showQuickPick<ProviderItem>(listProviders(models), {
		title: "Set API Key",
		placeHolder: "Whose key?",
		ignoreFocusOut: true,
	});
	if (!picked) return undefined;
	const provider = picked.provider ?? (await addServer(models));
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

async function listProviders(models: EditorModels): Promise<ProviderItem[]> {
	const servers = (await models.servers()).filter(({ isLocal }) => !isLocal);
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

function describeKey({ keyVariable }: ServerProvider, key: FoundKey | undefined | "unreadable"): string {
	if (key === "unreadable") return "the key cannot be read";
	if (key?.from === "entered") return "has a key";
	if (key) return `has a key in ${keyVariable ?? "the environment"}`;
	return keyVariable === undefined ? "" : "no key";
}

async function isEntered(provider: ServerProvider): Promise<boolean> {
	const key = await provider.findKey().catch(() => undefined);
	return key?.from === "entered";
}

/** Whether a key is to be entered in place of the one that is there. */
async function askToReplace(provider: ServerProvider, models: EditorModels): Promise<boolean> {
	const replace = { label: "Enter another key" };
	const remove = { label: "Remove the key" };
	const chosen = await vscode.window.showQuickPick([replace, remove], {
		title: `Set API Key: ${provider.label}`,
		placeHolder: `${provider.label} has a key already.`,
		ignoreFocusOut: true,
	});
	if (chosen === remove) {
		await models.secrets.delete({ providerId: provider.id, origin: provider.origin });
		tell(`The key of ${provider.label} was removed.`);
	}
	return chosen === replace;
}

/** A key that the server refuses is not kept; one that could not be tried is. */
async function keep(provider: ServerProvider, key: string, models: EditorModels): Promise<string | undefined> {
	const connection = await test(provider, key);
	if (connection !== "cancelled" && !connection.ok && connection.error.kind === "auth") {
		throw new ProblemError({
			code: "key.refused",
			message: `${provider.label} does not accept this key, so it was not kept: ${connection.error.message}`,
			remedies: [{ kind: "runCommand", command: commands.setApiKey.id, title: "Enter Again" }],
		});
	}
	if (key !== "") await models.secrets.set({ providerId: provider.id, origin: provider.origin }, key);
	if (connection === "cancelled") tell(`${keptText(provider, key)} It was not tried.`);
	else if (connection.ok) tell(`${keptText(provider, key)} The connection works.`);
	else warn(`${keptText(provider, key)} But the connection does not work now: ${connection.error.message}`);
	return provider.id;
}

const keptText = ({ label }: ServerProvider, key: string) =>
	key === "" ? `${label} is set up without a key.` : `The key of ${label} is kept.`;

async function test(provider: ServerProvider, key: string): Promise<Connection | "cancelled"> {
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
