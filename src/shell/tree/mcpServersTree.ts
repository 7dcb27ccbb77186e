import * as vscode from "vscode";
import { serverContextValues, views } from "../../contributions.ts";
import { showExactly, showOnOneLine } from "../../core/approvals/describeQuestion.ts";
import type { Catalog } from "../../core/catalog/discoverCatalog.ts";
import { isInSettings } from "../../core/config/settingsTables.ts";
import type { McpHealth } from "../../core/mcp/pooledServer.ts";
import type { WorkspaceCatalogs } from "../catalog/workspaceCatalogs.ts";
import type { WorkspaceRuntimes } from "../workspaceRuntimes.ts";
import { CatalogTree, type CatalogRow } from "./catalogTree.ts";

/** The MCP Servers view: what is configured, by layer, and how those do that runs have started. */
export function createMcpServersTree(catalogs: WorkspaceCatalogs, runtimes: WorkspaceRuntimes): vscode.Disposable {
	const problems = ({ config, mcpServers }: Catalog) => [
		...config.problems.filter((problem) => !isInSettings(problem)),
		...mcpServers.flatMap((server) => server.problems),
	];
	return new CatalogTree(views.mcpServers, catalogs, {
		rows: (catalog) => toRows(catalog, runtimes),
		problems,
		icon: "server",
		alsoOn: runtimes.onDidChangeServers,
	});
}

function toRows({ mcpServers }: Catalog, runtimes: WorkspaceRuntimes): CatalogRow[] {
	const all = runtimes.servers().map(({ health }) => health);
	return mcpServers.map(({ name, type, isEnabled, provenance }) => {
		const health = all.findLast((each) => each.name === name);
		return {
			name,
			layer: provenance.layer,
			file: provenance.file ?? "",
			line: provenance.line ?? 1,
			description: isEnabled ? [type, ...describe(health)].join(", ") : `${type}, off`,
			isUnused: !isEnabled,
			contextValue: health ? serverContextValues.started : serverContextValues.configured,
			...(health && health.state !== "stopped" && { icon: iconOf(health) }),
			...(health && { details: explain(health) }),
		};
	});
}

function describe(health: McpHealth | undefined): string[] {
	if (!health) return [];
	const { state, toolCount, lastError } = health;
	if (state === "ready") return [`ready with ${toolCount} ${toolCount === 1 ? "tool" : "tools"}`];
	return lastError === undefined ? [state] : [state, showOnOneLine(lastError)];
}

function iconOf({ state }: McpHealth): vscode.ThemeIcon {
	if (state === "failed") return new vscode.ThemeIcon("error", new vscode.ThemeColor("testing.iconFailed"));
	if (state === "starting") return new vscode.ThemeIcon("sync~spin");
	return new vscode.ThemeIcon("pass", new vscode.ThemeColor("testing.iconPassed"));
}

/** What went wrong, and the last that the server itself said. */
function explain({ lastError = "", stderrTail, toolProblems, holders }: McpHealth): string {
	const tools = toolProblems.map(({ tool, reason }) => `${tool} is left out: ${reason}`);
	const used = holders === 0 ? "" : `Used by ${holders} ${holders === 1 ? "run" : "runs"}.`;
	return [used, showExactly(lastError), ...tools.map(showExactly), showExactly(stderrTail).slice(-2_000)]
		.filter((part) => part !== "")
		.join("\n\n");
}
