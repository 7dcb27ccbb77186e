import * as vscode from "vscode";
import { compose } from "./compose.ts";
import { messageOf } from "./core/base/errors.ts";

export function activate(context: vscode.ExtensionContext): void {
	try {
		context.subscriptions.push(compose(context));
	} catch (error) {
		// VS Code says nothing when an extension fails to activate, so we do.
		void vscode.window.showErrorMessage(`Muster could not start: ${messageOf(error)}. Reload the window to try again.`);
		throw error;
	}
}
