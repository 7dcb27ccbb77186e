import type * as vscode from "vscode";
import { views } from "../../contributions.ts";
import type { Catalog } from "../../core/catalog/discoverCatalog.ts";
import { isInSettings } from "../../core/config/settingsTables.ts";
import type { WorkspaceCatalogs } from "../catalog/workspaceCatalogs.ts";
import { CatalogTree, type CatalogRow } from "./catalogTree.ts";

/** The MCP Servers view: what is configured, by layer. Nothing is started here. */
export function createMcpServersTree(catalogs: WorkspaceCatalogs): vscode.Disposable {
	const problems = ({ config, mcpServers }: Catalog) => [
		...config.problems.filter((problem) => !isInSettings(problem)),
		...mcpServers.flatMap((server) => server.problems),
	];
	return new CatalogTree(views.mcpServers, catalogs, { rows: toRows, problems, icon: "server" });
}

function toRows({ mcpServers }: Catalog): CatalogRow[] {
	return mcpServers.map(({ name, type, isEnabled, provenance }) => ({
		name,
		layer: provenance.layer,
		file: provenance.file ?? "",
		line: provenance.line ?? 1,
		description: isEnabled ? type : `${type}, off`,
		isUnused: !isEnabled,
		contextValue: "",
	}));
}
