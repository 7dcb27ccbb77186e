import * as vscode from "vscode";
import { skillContextValues, views } from "../../contributions.ts";
import type { Catalog } from "../../core/catalog/discoverCatalog.ts";
import type { WorkspaceCatalogs } from "../catalog/workspaceCatalogs.ts";
import { CatalogTree, type CatalogRow } from "./catalogTree.ts";

/** The Skills view: by layer, those that are used, and those that are disabled or shadowed, said as such. */
export function createSkillsTree(catalogs: WorkspaceCatalogs): vscode.Disposable {
	return new CatalogTree(views.skills, catalogs, {
		rows: toRows,
		problems: ({ skills }) => skills.problems,
		icon: "book",
	});
}

function toRows({ skills }: Catalog): CatalogRow[] {
	return [
		...skills.skills.map(({ name, layer, file, description }) => ({
			name,
			layer,
			file,
			description,
			contextValue: skillContextValues.enabled,
		})),
		...skills.unused.map(({ name, layer, file, reason, by }) => ({
			name,
			layer,
			file,
			description: reason === "disabled" ? "disabled" : `shadowed by ${by}`,
			isUnused: true,
			contextValue: reason === "disabled" ? skillContextValues.disabled : "",
		})),
	];
}
