import type { VSCodeOptions } from "./vscode.ts";

/**
 * VS Code's built-in Agent mode without a sign-in, on a model that an extension provides. Rests on internals of the one
 * VS Code that test/vscode/package-lock.json names. `vendor` is the provider's; `utilityModel` (`vendor/id`) gets the
 * requests for titles and the like, so that the other models see the agent's own requests only.
 */
export function agentMode(vendor: string, utilityModel: string): VSCodeOptions {
	return {
		// keeps the bundled chat extension, which a fresh profile disables
		storage: { builtinChatExtensionEnablementMigration: "true" },
		// "the user has brought a model", so that no sign-in is asked for
		languageModels: [{ name: vendor, vendor }],
		settings: { "chat.utilityModel": utilityModel, "chat.utilitySmallModel": utilityModel },
	};
}
