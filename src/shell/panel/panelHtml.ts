export interface PanelHtmlParts {
	/** `webview.cspSource`. */
	readonly cspSource: string;
	/** 128 random bits, new for each page. */
	readonly nonce: string;
	readonly scriptUri: string;
	readonly styleUri: string;
	/** `dist/webview/icons.svg`, as the build wrote it. */
	readonly sprite: string;
}

/**
 * The panel's page: a static shell that shows something at once and lets nothing in but our own script and style.
 * No data ever goes into it; everything that is true comes later, by message.
 */
export function panelHtml({ cspSource, nonce, scriptUri, styleUri, sprite }: PanelHtmlParts): string {
	const policy = [
		"default-src 'none'",
		`style-src ${cspSource}`,
		`script-src 'nonce-${nonce}'`,
		"connect-src 'none'",
		"frame-src 'none'",
		"form-action 'none'",
		"base-uri 'none'",
		"require-trusted-types-for 'script'",
		"trusted-types 'none'",
	].join("; ");
	return `<!DOCTYPE html>
<html lang="en">
<head>
	<meta charset="utf-8">
	<meta http-equiv="Content-Security-Policy" content="${attribute(policy)}">
	<meta name="viewport" content="width=device-width, initial-scale=1">
	<title>Muster</title>
	<link rel="stylesheet" href="${attribute(styleUri)}">
</head>
<body>
	<div hidden>${sprite}</div>
	<div id="root" aria-busy="true"><div class="skeleton" aria-hidden="true">${"<i></i>".repeat(8)}</div></div>
	<script nonce="${attribute(nonce)}" src="${attribute(scriptUri)}"></script>
</body>
</html>`;
}

function attribute(text: string): string {
	return text.replaceAll("&", "&amp;").replaceAll('"', "&quot;");
}
