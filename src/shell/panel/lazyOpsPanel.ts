import * as vscode from "vscode";
import { panelType } from "../../contributions.ts";
import { DisposableStore } from "../../core/base/disposable.ts";
import type { Logger } from "../../core/ports/logger.ts";
import type { WorkspaceRuntimes } from "../workspaceRuntimes.ts";
import type { OpsPanel } from "./opsPanel.ts";

/** Stands for the ops panel until somebody opens it, so that its code is not loaded at activation. */
export class LazyOpsPanel implements vscode.WebviewPanelSerializer, vscode.Disposable {
	readonly #own = new DisposableStore();
	readonly #create: () => Promise<OpsPanel>;
	#panel: Promise<OpsPanel> | undefined;

	constructor(extensionUri: vscode.Uri, runtimes: WorkspaceRuntimes, logger: Logger) {
		this.#create = async () => {
			const module = await import("./opsPanel.ts");
			return this.#own.add(new module.OpsPanel(extensionUri, runtimes, logger));
		};
		this.#own.add(vscode.window.registerWebviewPanelSerializer(panelType, this));
	}

	async show(): Promise<void> {
		await (await this.#load()).show();
	}

	async deserializeWebviewPanel(panel: vscode.WebviewPanel): Promise<void> {
		await (await this.#load()).restore(panel);
	}

	dispose(): void {
		this.#own.dispose();
	}

	#load(): Promise<OpsPanel> {
		return (this.#panel ??= this.#create());
	}
}
