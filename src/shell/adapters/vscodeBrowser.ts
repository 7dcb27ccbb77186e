import * as vscode from "vscode";
import type { SignInBrowser } from "../../core/ports/signInBrowser.ts";

/** The browser of whoever sits before this window, which may be on another machine than the extension is. */
export const vscodeBrowser: SignInBrowser = {
	async externalAddress(local) {
		return new URL((await vscode.env.asExternalUri(vscode.Uri.parse(local.href, true))).toString(true));
	},
	async open(page) {
		return vscode.env.openExternal(vscode.Uri.parse(page.href, true));
	},
};
