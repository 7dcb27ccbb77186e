import * as vscode from "vscode";
import type { McpHealth } from "../../core/mcp/pooledServer.ts";
import { rowName } from "../tree/rowName.ts";
import type { FolderServer, WorkspaceRuntimes } from "../workspaceRuntimes.ts";
import type { CommandHandlers } from "./registerCommands.ts";

/** What can be done with MCP servers that runs have started, and with what was agreed to. */
export function createServerCommands(
	runtimes: WorkspaceRuntimes,
): Pick<CommandHandlers, "restartServer" | "stopServer" | "forgetConsent"> {
	return {
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
