/** User settings that make the workbench behave the same on a slow machine as on a fast one. */
export const testSettings: Readonly<Record<string, unknown>> = {
	// confirmations in one place, inline, instead of twice
	"chat.tools.confirmationCarousel.enabled": false,
	"editor.accessibilitySupport": "off",
	"explorer.confirmDelete": false,
	"files.autoSave": "off",
	// the file dialogs that are part of the page
	"files.simpleDialog.enable": true,
	"window.commandCenter": false,
	"window.menuBarVisibility": "classic",
	"workbench.editor.enablePreview": false,
	// else a webview that takes the focus late dismisses the palette; in the product, ignoreFocusOut is the remedy
	"workbench.quickOpen.closeOnFocusLost": false,
	"workbench.reduceMotion": "on",
};
