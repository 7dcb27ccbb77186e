import path from "node:path";
import * as vscode from "vscode";
import { ProblemError } from "../../core/base/errors.ts";
import type { WorkspaceRuntimes } from "../workspaceRuntimes.ts";
import { pickFolder } from "./pickFolder.ts";

/** Writes the stock agents, a sample skill and a commented config.toml. What is there already stays as it is. */
export async function setUpWorkspaceCommand(runtimes: WorkspaceRuntimes): Promise<void> {
	if (!vscode.workspace.isTrusted) {
		throw new ProblemError({
			code: "workspace.untrusted",
			message: "This workspace is not trusted, so nothing has been written to it.",
			remedies: [{ kind: "runCommand", command: "workbench.trust.manage", title: "Manage Workspace Trust" }],
		});
	}
	const folder = await pickFolder("Set up which folder?");
	if (folder === undefined) return;
	if (folder === null) {
		throw new ProblemError({
			code: "workspace.none",
			message:
				"No folder is open, so there is nothing to set up. Open a folder first; your own agents for every workspace live in `.agents/agents` of your home folder.",
			remedies: [{ kind: "runCommand", command: "workbench.action.files.openFolder", title: "Open Folder…" }],
		});
	}
	const { setUpWorkspace } = await import("../../core/agents/setUpWorkspace.ts");
	const { agents } = await (await runtimes.runtimeOf(folder)).agents();
	const homeAgentNames = new Set(agents.filter((agent) => agent.layer === "home").map((agent) => agent.name));
	const result = await setUpWorkspace(folder, homeAgentNames);
	if (!result.isDone) throw new ProblemError(result.problem);
	const { written, kept, skipped } = result;
	const notes = [
		kept.length > 0 ? `left ${kept.length} as they were` : undefined,
		skipped.length > 0 ? `left out ${skipped.length} that your home folder has` : undefined,
	].filter((note) => note !== undefined);
	const message =
		written.length === 0
			? "This workspace is set up already; nothing was changed."
			: `${[`Wrote ${written.length} files under .agents`, ...notes].join(", ")}.`;
	const first = written.find((file) => file.endsWith("code-analyst.md")) ?? written[0];
	const chosen = await vscode.window.showInformationMessage(message, ...(first === undefined ? [] : ["Open an Agent"]));
	if (chosen !== undefined && first !== undefined)
		await vscode.window.showTextDocument(vscode.Uri.file(path.resolve(folder, first)));
}
