import { randomBytes } from "node:crypto";
import { readFile } from "node:fs/promises";
import path from "node:path";
import * as vscode from "vscode";
import { commands, panelType } from "../../contributions.ts";
import { DisposableStore } from "../../core/base/disposable.ts";
import type { Logger } from "../../core/ports/logger.ts";
import type { HostToPanel, RunRow } from "../../protocol/panel.ts";
import type { WorkspaceRuntimes } from "../workspaceRuntimes.ts";
import { panelHtml } from "./panelHtml.ts";
import { createPanelReceiver } from "./receivePanelMessage.ts";
import { RunsFeed } from "./runsFeed.ts";
import { toRunRow } from "./toRunRow.ts";

/** At most ten messages a second to the page. */
const flushMs = 100;

/** The ops panel as an editor tab: one at most, restored after a reload. */
export class OpsPanel implements vscode.Disposable {
	readonly #extensionUri: vscode.Uri;
	readonly #runtimes: WorkspaceRuntimes;
	readonly #logger: Logger;
	readonly #own = new DisposableStore();
	#panel: vscode.WebviewPanel | undefined;

	constructor(extensionUri: vscode.Uri, runtimes: WorkspaceRuntimes, logger: Logger) {
		this.#extensionUri = extensionUri;
		this.#runtimes = runtimes;
		this.#logger = logger;
		this.#own.add({ dispose: () => this.#panel?.dispose() });
	}

	async show(): Promise<void> {
		if (this.#panel) return this.#panel.reveal();
		await this.#connect(vscode.window.createWebviewPanel(panelType, "Muster", vscode.ViewColumn.Active));
	}

	/** Takes over the tab of an earlier window session. What that page stored about itself is the page's to check. */
	async restore(panel: vscode.WebviewPanel): Promise<void> {
		this.#panel?.dispose();
		await this.#connect(panel);
	}

	dispose(): void {
		this.#own.dispose();
	}

	async #connect(panel: vscode.WebviewPanel): Promise<void> {
		this.#panel = panel;
		const session = new DisposableStore();
		panel.onDidDispose(() => {
			session.dispose();
			if (this.#panel === panel) this.#panel = undefined;
		});
		const dist = vscode.Uri.joinPath(this.#extensionUri, "dist", "webview");
		const icon = (theme: "light" | "dark") => vscode.Uri.joinPath(this.#extensionUri, "media", `tab-${theme}.svg`);
		panel.iconPath = { light: icon("light"), dark: icon("dark") };
		panel.webview.options = { enableScripts: true, localResourceRoots: [dist] };
		this.#feed(panel, session);
		panel.webview.html = panelHtml({
			cspSource: panel.webview.cspSource,
			nonce: randomBytes(16).toString("base64url"),
			scriptUri: panel.webview.asWebviewUri(vscode.Uri.joinPath(dist, "panel.js")).toString(),
			styleUri: panel.webview.asWebviewUri(vscode.Uri.joinPath(dist, "panel.css")).toString(),
			sprite: await readFile(path.join(dist.fsPath, "icons.svg"), "utf8"),
		});
	}

	/** Sends nothing before the page says `ready`, and nothing while it is hidden: it says `ready` again when it is back. */
	#feed(panel: vscode.WebviewPanel, session: DisposableStore): void {
		const feed = new RunsFeed();
		let isConnected = false;
		let flush: NodeJS.Timeout | undefined;
		const post = (message: HostToPanel) => void panel.webview.postMessage(message);
		const receive = createPanelReceiver(
			{
				sendSnapshot: () => {
					isConnected = true;
					void this.#runtimes.open().then(() => post(feed.snapshot(this.#rows(), this.#notice(), Date.now())));
				},
				stopRun: (runId) => void vscode.commands.executeCommand(commands.stopRun.id, runId),
				openTranscript: (runId) => void vscode.commands.executeCommand(commands.openTranscript.id, runId),
				spawn: () => void vscode.commands.executeCommand(commands.spawn.id),
			},
			Date.now,
			(text) => this.#logger.warn(text),
		);
		session.add(panel.webview.onDidReceiveMessage(receive));
		session.add(panel.onDidChangeViewState(() => (isConnected = isConnected && panel.visible)));
		session.add({ dispose: () => clearTimeout(flush) });
		session.add(
			this.#runtimes.onDidChange((ids) => {
				if (!isConnected) return;
				// The notice may have changed with the set of runtimes, so that is a snapshot.
				if (ids.size === 0) return post(feed.snapshot(this.#rows(), this.#notice(), Date.now()));
				flush ??= setTimeout(() => {
					flush = undefined;
					const patch = isConnected ? feed.patch(this.#rows()) : undefined;
					if (patch) post(patch);
				}, flushMs);
			}),
		);
	}

	#rows(): RunRow[] {
		const runs = this.#runtimes.list();
		const hasSeveralFolders = new Set(runs.map(({ folder }) => folder)).size > 1;
		return runs.map(({ run, folder }) =>
			toRunRow(run, hasSeveralFolders && folder !== null ? path.basename(folder) : null),
		);
	}

	#notice(): string | null {
		if (this.#runtimes.problem) return this.#runtimes.problem.message;
		if (!vscode.workspace.isTrusted)
			return "This workspace is not trusted: past runs are shown, and nothing runs until you trust it.";
		return null;
	}
}
