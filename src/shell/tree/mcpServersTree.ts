import * as vscode from "vscode";
import { serverContextValues, views } from "../../contributions.ts";
import { showExactly, showOnOneLine } from "../../core/base/showExactly.ts";
import type { Catalog } from "../../core/catalog/discoverCatalog.ts";
import { isInSettings } from "../../core/config/settingsTables.ts";
import type { McpHealth } from "../../core/mcp/pooledServer.ts";
import type { Approval } from "../../core/runs/approval.ts";
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
		alsoOn: whenEither(runtimes.onDidChangeServers, runtimes.onDidChangeApprovals),
	});
}

function whenEither(first: vscode.Event<void>, second: vscode.Event<void>): vscode.Event<void> {
	return (listener) => {
		const own = [first(listener), second(listener)];
		return { dispose: () => own.forEach((each) => void each.dispose()) };
	};
}

function toRows({ mcpServers }: Catalog, runtimes: WorkspaceRuntimes): CatalogRow[] {
	const all = runtimes.servers().map(({ health }) => health);
	const questions = runtimes.approvals().map(({ approval }) => approval);
	return mcpServers.map(({ name, type, isEnabled, takesSignIn, provenance }) => {
		const health = all.findLast((each) => each.name === name);
		const question = questions.find(({ effect, tool }) => effect === "start" && tool === `mcp(${name})`);
		return {
			name,
			layer: provenance.layer,
			file: provenance.file ?? "",
			line: provenance.line ?? 1,
			description: isEnabled
				? [type, ...(question ? ["waits for your word"] : describe(health))].join(", ")
				: `${type}, off`,
			isUnused: !isEnabled,
			contextValue: contextValueOf(health, takesSignIn && isEnabled),
			...(health && health.state !== "stopped" && { icon: iconOf(health) }),
			...(question && { icon: new vscode.ThemeIcon("question", new vscode.ThemeColor("list.warningForeground")) }),
			...((health ?? question) && { details: explain(health, question) }),
		};
	});
}

function contextValueOf(health: McpHealth | undefined, takesSignIn: boolean): string {
	const { configured, started, configuredRemote, startedRemote, signIn } = serverContextValues;
	if (!takesSignIn) return health ? started : configured;
	if (health?.state === "signInNeeded") return signIn;
	return health ? startedRemote : configuredRemote;
}

function describe(health: McpHealth | undefined): string[] {
	if (!health) return [];
	const { state, toolCount, lastError } = health;
	if (state === "signInNeeded") return ["sign in needed"];
	if (state === "ready") return [`ready with ${toolCount} ${toolCount === 1 ? "tool" : "tools"}`];
	return lastError === undefined ? [state] : [state, showOnOneLine(lastError)];
}

function iconOf({ state }: McpHealth): vscode.ThemeIcon {
	if (state === "failed") return new vscode.ThemeIcon("error", new vscode.ThemeColor("testing.iconFailed"));
	if (state === "signInNeeded") return new vscode.ThemeIcon("key", new vscode.ThemeColor("list.warningForeground"));
	if (state === "starting") return new vscode.ThemeIcon("sync~spin");
	return new vscode.ThemeIcon("pass", new vscode.ThemeColor("testing.iconPassed"));
}

/** What it waits for, what went wrong, and the last that the server itself said. */
function explain(health: McpHealth | undefined, question: Approval | undefined): string {
	const asked = question ? `${question.why}\n${showExactly(question.subject)}` : "";
	return [asked, ...(health ? explainHealth(health) : [])].filter((part) => part !== "").join("\n\n");
}

function explainHealth({ lastError = "", stderrTail, toolProblems, holders }: McpHealth): string[] {
	const tools = toolProblems.map(({ tool, reason }) => `${tool} is left out: ${reason}`);
	const used = holders === 0 ? "" : `Used by ${holders} ${holders === 1 ? "run" : "runs"}.`;
	return [used, showExactly(lastError), ...tools.map(showExactly), showExactly(stderrTail).slice(-2_000)];
}
