import type { HostToPanel, PanelToHost } from "../src/protocol/panel.ts";
import { type PanelState, parsePanelState } from "./panelState.ts";

interface VsCodeApi {
	postMessage(message: unknown): void;
	getState(): unknown;
	setState(state: unknown): void;
}

declare function acquireVsCodeApi(): VsCodeApi;

/** The extension, as the page sees it. */
export interface Host {
	send(message: PanelToHost): void;
	listen(receive: (message: HostToPanel) => void): void;
	restore(): PanelState;
	save(state: PanelState): void;
}

/** VS Code hands its side out once per page, so this is called once, by `main`. */
export function connectHost(): Host {
	const api = acquireVsCodeApi();
	return {
		send: (message) => api.postMessage(message),
		listen: (receive) => window.addEventListener("message", (event: MessageEvent<HostToPanel>) => receive(event.data)),
		restore: () => parsePanelState(api.getState()),
		save: (state) => api.setState(state),
	};
}
