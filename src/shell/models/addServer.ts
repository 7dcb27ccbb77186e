import * as vscode from "vscode";
import { ProblemError } from "../../core/base/errors.ts";
import type { ServerProvider } from "../../core/models/serverProvider.ts";
import type { EditorModels } from "./editorModels.ts";
import { findAddressProblem, findProviderIdProblem } from "./serverInput.ts";

/** Asks for a name and an address, and writes them into the user's own settings. */
export async function addServer(models: EditorModels): Promise<ServerProvider | undefined> {
	const taken = new Set((await models.servers()).map(({ id }) => id));
	const id = await ask(
		"A short name for the server, such as openrouter: its models are then openrouter/…",
		"openrouter",
		(text) => findProviderIdProblem(text, taken),
	);
	if (id === undefined) return undefined;
	const address = await ask(
		"The base URL, with the version and without the method",
		"https://openrouter.ai/api/v1",
		findAddressProblem,
	);
	if (address === undefined) return undefined;
	const configuration = vscode.workspace.getConfiguration("muster");
	const written = configuration.inspect<Readonly<Record<string, unknown>>>("modelProviders")?.globalValue ?? {};
	const entry = { base_url: address, wire_api: "chat" };
	await configuration.update("modelProviders", { ...written, [id]: entry }, vscode.ConfigurationTarget.Global);
	const added = (await models.servers()).find((provider) => provider.id === id);
	if (added) return added;
	throw new ProblemError({
		code: "provider.notRead",
		message: `The server ${id} was written into the setting muster.modelProviders, but cannot be used as it is. Look at the problems in the Agents view.`,
		remedies: [{ kind: "openSetting", setting: "muster.modelProviders" }],
	});
}

async function ask(
	prompt: string,
	placeHolder: string,
	findProblem: (text: string) => string | undefined,
): Promise<string | undefined> {
	const validateInput = (text: string) => findProblem(text.trim());
	const title = "OpenAI-Compatible Server";
	return (
		await vscode.window.showInputBox({ title, prompt, placeHolder, validateInput, ignoreFocusOut: true })
	)?.trim();
}
