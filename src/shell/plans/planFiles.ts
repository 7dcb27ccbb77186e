import * as vscode from "vscode";
import { planScheme } from "../../contributions.ts";
import { DisposableStore } from "../../core/base/disposable.ts";
import { messageOf } from "../../core/base/errors.ts";
import type { Plan } from "../../core/runs/plan.ts";
import type { WorkspaceRuntimes } from "../workspaceRuntimes.ts";
import type { FolderPlan } from "./planRows.ts";

/**
 * Plans as documents that can be edited: saving one keeps its next revision. They have a language of their own with
 * Markdown's colours, as transcripts have and for the same reason. Once decided, a plan is read-only.
 */
export class PlanFiles implements vscode.FileSystemProvider, vscode.Disposable {
	readonly #runtimes: WorkspaceRuntimes;
	readonly #own = new DisposableStore();
	readonly #changed = this.#own.add(new vscode.EventEmitter<vscode.FileChangeEvent[]>());
	/** What the editor was last told of each open plan. */
	readonly #told = new Map<string, { readonly uri: vscode.Uri; readonly stamp: string }>();

	readonly onDidChangeFile = this.#changed.event;

	constructor(runtimes: WorkspaceRuntimes) {
		this.#runtimes = runtimes;
		this.#own.add(vscode.workspace.registerFileSystemProvider(planScheme, this, { isCaseSensitive: true }));
		this.#own.add(runtimes.onDidChangePlans(() => void this.#tell()));
	}

	static uriOf({ id, title }: Plan): vscode.Uri {
		const name = title.replaceAll(/[^\p{L}\p{N} ._-]+/gu, " ").trim() || "plan";
		return vscode.Uri.from({ scheme: planScheme, path: `/${id}/${name.slice(0, 60)}.muster-plan` });
	}

	static idOf(uri: vscode.Uri): string {
		return uri.path.split("/")[1] ?? "";
	}

	async open(plan: Plan): Promise<void> {
		const document = await vscode.workspace.openTextDocument(PlanFiles.uriOf(plan));
		await vscode.window.showTextDocument(document, { preview: false });
	}

	/** The plan of a document, as it is stored now. */
	async find(uri: vscode.Uri): Promise<FolderPlan | undefined> {
		await this.#runtimes.open();
		for (const runtime of this.#runtimes.opened()) {
			const plan = await runtime.plans.find(PlanFiles.idOf(uri)).catch(() => undefined);
			if (plan) return { plan, runtime };
		}
		return undefined;
	}

	async stat(uri: vscode.Uri): Promise<vscode.FileStat> {
		const { plan } = await this.#mustFind(uri);
		this.#told.set(plan.id, { uri, stamp: stampOf(plan) });
		const size = Buffer.byteLength(plan.text);
		const permissions = plan.state === "awaiting" ? {} : { permissions: vscode.FilePermission.Readonly };
		// Grows with each revision, so that the editor sees what was saved elsewhere.
		const mtime = plan.createdAt + plan.revision + (plan.state === "awaiting" ? 0 : 1_000_000);
		return { type: vscode.FileType.File, ctime: plan.createdAt, mtime, size, ...permissions };
	}

	async readFile(uri: vscode.Uri): Promise<Uint8Array> {
		return Buffer.from((await this.#mustFind(uri)).plan.text);
	}

	async writeFile(uri: vscode.Uri, content: Uint8Array): Promise<void> {
		const { plan, runtime } = await this.#mustFind(uri);
		try {
			await runtime.plans.save(plan.id, new TextDecoder("utf-8", { fatal: true }).decode(content));
		} catch (error) {
			throw vscode.FileSystemError.NoPermissions(messageOf(error));
		}
	}

	watch(): vscode.Disposable {
		return new vscode.Disposable(() => undefined);
	}

	readDirectory(): never {
		throw vscode.FileSystemError.NoPermissions("Plans are opened one by one.");
	}

	createDirectory(): never {
		throw vscode.FileSystemError.NoPermissions("Plans are made by subagents.");
	}

	delete(): never {
		throw vscode.FileSystemError.NoPermissions("Plans are kept.");
	}

	rename(): never {
		throw vscode.FileSystemError.NoPermissions("Plans keep their names.");
	}

	dispose(): void {
		this.#own.dispose();
	}

	async #mustFind(uri: vscode.Uri): Promise<FolderPlan> {
		const found = await this.find(uri);
		if (!found) throw vscode.FileSystemError.FileNotFound("There is no such plan in this workspace.");
		return found;
	}

	/** Tells the editor of those open plans that others have saved or decided. */
	async #tell(): Promise<void> {
		for (const { uri, stamp } of this.#told.values()) {
			const found = await this.find(uri);
			if (found && stampOf(found.plan) !== stamp) this.#changed.fire([{ type: vscode.FileChangeType.Changed, uri }]);
		}
	}
}

function stampOf({ hash, state }: Plan): string {
	return `${state}:${hash}`;
}
