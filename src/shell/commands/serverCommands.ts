import * as vscode from "vscode";
import type { McpServer } from "../../core/mcp/mcpServers.ts";
import type { McpHealth } from "../../core/mcp/pooledServer.ts";
import { commandForTerminal, describeServer } from "../../core/mcp/serverCommand.ts";
import type { WorkspaceCatalogs } from "../catalog/workspaceCatalogs.ts";
import { plainText } from "../errors/plainText.ts";
import { untilCancelled } from "../models/untilCancelled.ts";
import { rowName } from "../tree/rowName.ts";
import type { FolderServer, WorkspaceRuntimes } from "../workspaceRuntimes.ts";
import type { CommandHandlers } from "./registerCommands.ts";

/** What can be done with MCP servers that runs have started, and with what was agreed to. */
export function createServerCommands(
	runtimes: WorkspaceRuntimes,
	catalogs: Pick<WorkspaceCatalogs, "read">,
): Pick<
	CommandHandlers,
	"restartServer" | "stopServer" | "forgetConsent" | "signInServer" | "signOutServer" | "copyServerCommand"
> {
	return {
		async signInServer(argument) {
			const found = await pick(catalogs, argument, "Which server do you want to sign in to?", takesSignIn);
			if (!found) return;
			const { server, folder } = found;
			const runtime = await runtimes.runtimeOf(folder);
			const title = `Signing in to ${server.name} in the browser…`;
			const options = { location: vscode.ProgressLocation.Notification, title, cancellable: true };
			const isDone = await vscode.window.withProgress(options, (_, token) =>
				untilCancelled(token, async (signal) => {
					await runtime.mcp.signIn(server, signal).catch((error: unknown) => {
						if (!signal.aborted) throw error;
					});
					return !signal.aborted;
				}),
			);
			if (isDone) void vscode.window.showInformationMessage(plainText(`You are signed in to “${server.name}”.`));
		},
		async signOutServer(argument) {
			const found = await pick(catalogs, argument, "Which server do you want to sign out of?", takesSignIn);
			if (!found) return;
			const { server, folder } = found;
			await (await runtimes.runtimeOf(folder)).mcp.signOut(server);
			void vscode.window.showInformationMessage(plainText(`You are signed out of “${server.name}”.`));
		},
		async copyServerCommand(argument) {
			const found = await pick(catalogs, argument, "Whose command?", () => true);
			if (found) await vscode.env.clipboard.writeText(commandForTerminal(found.server, process.platform === "win32"));
		},
		async restartServer(argument) {
			const found = await choose(runtimes, argument, "Which server is to start again?");
			if (found) await found.runtime.mcp.restart(found.health.id);
		},
		async stopServer(argument) {
			const found = await choose(runtimes, argument, "Which server is to stop? Its next use starts it again.");
			if (found) await found.runtime.mcp.stop(found.health.id);
		},
		async forgetConsent(argument) {
			const name = rowName(argument) ?? (await choose(runtimes, argument, "Whose consent is to go?"))?.health.name;
			if (name === undefined) return;
			await Promise.all(runtimes.opened().map((runtime) => runtime.mcp.forgetConsent(name)));
			void vscode.window.showInformationMessage(`The MCP server “${name}” asks again before it is started.`);
		},
	};
}

interface ConfiguredServer {
	readonly server: McpServer;
	readonly folder: string | null;
}

const takesSignIn = (server: McpServer) => server.takesSignIn && server.isEnabled;

/** Of what is configured, started or not: that of the row, else what the person picks. */
async function pick(
	catalogs: Pick<WorkspaceCatalogs, "read">,
	argument: unknown,
	placeHolder: string,
	fits: (server: McpServer) => boolean,
): Promise<ConfiguredServer | undefined> {
	const all = (await catalogs.read()).flatMap(({ folder, mcpServers }) =>
		mcpServers.filter(fits).map((server) => ({ server, folder })),
	);
	const name = rowName(argument);
	if (name !== undefined) return all.find(({ server }) => server.name === name);
	if (all.length === 0) {
		void vscode.window.showInformationMessage("No MCP server is configured here that this can be done with.");
		return undefined;
	}
	const items = all.map((found) => ({ label: found.server.name, description: describeServer(found.server), found }));
	return (await vscode.window.showQuickPick(items, { placeHolder }))?.found;
}

async function choose(
	runtimes: WorkspaceRuntimes,
	argument: unknown,
	placeHolder: string,
): Promise<FolderServer | undefined> {
	const name = rowName(argument);
	const servers = runtimes.servers();
	if (name !== undefined) return servers.findLast(({ health }) => health.name === name);
	if (servers.length === 0) {
		void vscode.window.showInformationMessage("No run has started an MCP server in this window yet.");
		return undefined;
	}
	const items = servers.map((server) => ({ label: server.health.name, description: describe(server.health), server }));
	return (await vscode.window.showQuickPick(items, { placeHolder }))?.server;
}

function describe({ state, toolCount }: McpHealth): string {
	return `${state}, ${toolCount} tools`;
}
