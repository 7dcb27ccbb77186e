import { createServer } from "node:http";
import { panelHtml } from "../../src/shell/panel/panelHtml.ts";
import { buildPanel } from "./buildPanel.ts";

export interface PanelServer extends AsyncDisposable {
	readonly url: string;
}

/** Serves the built panel as the extension would, policy included. */
export async function startPanelServer(): Promise<PanelServer> {
	const files = await buildPanel();
	const server = createServer((request, response) => {
		const name = (request.url ?? "/").slice(1);
		const body = name === "" ? page() : files.get(name);
		const type = name === "" ? "text/html" : name.endsWith(".css") ? "text/css" : "text/javascript";
		response.writeHead(body === undefined ? 404 : 200, { "content-type": `${type}; charset=utf-8` }).end(body);
	});
	const page = () =>
		panelHtml({
			cspSource: url,
			nonce: "page-test-nonce",
			scriptUri: `${url}/panel.js`,
			styleUri: `${url}/panel.css`,
			sprite: files.get("icons.svg") ?? "",
		});
	await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
	const address = server.address();
	const url = `http://127.0.0.1:${typeof address === "object" ? address?.port : ""}`;
	return {
		url,
		[Symbol.asyncDispose]: () =>
			new Promise((resolve) => {
				server.close(() => resolve());
				server.closeAllConnections();
			}),
	};
}
