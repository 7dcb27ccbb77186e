import path from "node:path";
import * as vscode from "vscode";
import type { WorkspaceCatalogs } from "../catalog/workspaceCatalogs.ts";

/** Opens a text that says of every value in effect where it is written, what it shadows, and why it holds. */
export async function explainCommand(catalogs: WorkspaceCatalogs): Promise<void> {
	const [{ explainCatalog }, { toExplanationText }, read] = await Promise.all([
		import("../../core/catalog/explainCatalog.ts"),
		import("../../core/config/explanationText.ts"),
		catalogs.refresh(),
	]);
	const texts = read.map((catalog) => {
		const title = catalog.folder === null ? "No folder" : path.basename(catalog.folder);
		return `${title}\n${"=".repeat(title.length)}\n\n${toExplanationText(explainCatalog(catalog))}`;
	});
	const document = await vscode.workspace.openTextDocument({ content: texts.join("\n"), language: "plaintext" });
	await vscode.window.showTextDocument(document);
}
