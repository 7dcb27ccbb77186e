/** User settings for a VS Code without welcome pages, tips, experiments, updates and telemetry. */
export const quietSettings: Readonly<Record<string, unknown>> = {
	"chat.restoreLastPanelSession": false,
	"chat.tips.enabled": false,
	"chat.titleBar.signIn.enabled": false,
	"extensions.autoCheckUpdates": false,
	"extensions.autoUpdate": false,
	"extensions.ignoreRecommendations": true,
	"git.autofetch": false,
	"git.openRepositoryInParentFolders": "never",
	"telemetry.feedback.enabled": false,
	"telemetry.telemetryLevel": "off",
	"update.mode": "none",
	"update.showReleaseNotes": false,
	"workbench.enableExperiments": false,
	// else the Chat view opens by itself
	"workbench.secondarySideBar.defaultVisibility": "hidden",
	"workbench.startupEditor": "none",
	"workbench.tips.enabled": false,
	"workbench.welcomePage.walkthroughs.openOnInstall": false,
};
