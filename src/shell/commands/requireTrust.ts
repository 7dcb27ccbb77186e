import * as vscode from "vscode";
import { ProblemError } from "../../core/base/errors.ts";

/** Throws, with the way out, where nothing may run. */
export function requireTrust(): void {
	if (vscode.workspace.isTrusted) return;
	throw new ProblemError({
		code: "workspace.untrusted",
		message: "This workspace is not trusted, so no subagent can run in it, and nothing of it has been read.",
		remedies: [{ kind: "runCommand", command: "workbench.trust.manage", title: "Manage Workspace Trust" }],
	});
}
