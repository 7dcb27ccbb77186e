import * as vscode from "vscode";
import { transcriptScheme } from "../../contributions.ts";
import { DisposableStore } from "../../core/base/disposable.ts";
import { titleOf, type Run } from "../../core/runs/run.ts";
import { isTerminal } from "../../core/runs/runState.ts";
import type { Entry } from "../../core/sessions/entry.ts";
import type { WorkspaceRuntimes, FolderRun } from "../workspaceRuntimes.ts";

const pageSize = 500;
/** What an editor can reasonably show. The rest stays in the store. */
const shownEntries = 10_000;
const refreshMs = 500;

/**
 * Transcripts as read-only documents that follow their run while it lives. They have a language of their own with
 * Markdown's colours: in a document of language `markdown`, a link in a model's text could run any command.
 */
export class TranscriptDocuments implements vscode.TextDocumentContentProvider, vscode.Disposable {
	readonly #runtimes: WorkspaceRuntimes;
	readonly #own = new DisposableStore();
	readonly #changed = this.#own.add(new vscode.EventEmitter<vscode.Uri>());
	readonly onDidChange = this.#changed.event;
	readonly #stale = new Set<string>();
	#refresh: NodeJS.Timeout | undefined;

	constructor(runtimes: WorkspaceRuntimes) {
		this.#runtimes = runtimes;
		this.#own.add(vscode.workspace.registerTextDocumentContentProvider(transcriptScheme, this));
		this.#own.add(runtimes.onDidChange((runIds) => this.#refreshSoon(runIds)));
		this.#own.add(vscode.workspace.onDidOpenTextDocument(({ uri }) => this.#refreshSoon(new Set([uri.query]))));
		this.#own.add({ dispose: () => clearTimeout(this.#refresh) });
	}

	async open(run: Run): Promise<void> {
		const path = `/${this.nameOf(run)}.muster-transcript`;
		const uri = vscode.Uri.from({ scheme: transcriptScheme, path, query: run.id });
		const document = await vscode.workspace.openTextDocument(uri);
		await vscode.window.showTextDocument(document, { preview: true });
	}

	async provideTextDocumentContent(uri: vscode.Uri): Promise<string> {
		await this.#runtimes.open();
		const found = this.#runtimes.find(uri.query);
		return found ? this.render(found) : "There is no such run in this workspace any more.\n";
	}

	/** What a file with it can be called, without its ending. */
	nameOf(run: Run): string {
		const name = titleOf(run).replaceAll(/[^\p{L}\p{N}._-]+/gu, " ");
		return name.trim().slice(0, 60) || "transcript";
	}

	/** The transcript as it is now, as Markdown. */
	async render(found: FolderRun): Promise<string> {
		const { renderTranscript } = await import("../../core/sessions/transcriptMarkdown.ts");
		const entries = await readEntries(found);
		const rest = entries.length < shownEntries ? "" : `\n\n*The first ${shownEntries} entries are shown.*\n`;
		return renderTranscript(found.run, entries) + rest;
	}

	dispose(): void {
		this.#own.dispose();
	}

	/** Text that streams in is no change of the run, so what lives is read again until it has ended. */
	#refreshSoon(runIds: ReadonlySet<string>): void {
		for (const runId of runIds) this.#stale.add(runId);
		this.#refresh ??= setTimeout(() => {
			this.#refresh = undefined;
			const stale = new Set(this.#stale);
			this.#stale.clear();
			const shown = vscode.workspace.textDocuments.filter(({ uri }) => uri.scheme === transcriptScheme);
			for (const { uri } of shown) if (stale.has(uri.query)) this.#changed.fire(uri);
			const live = shown.filter(({ uri }) => this.#isLive(uri.query)).map(({ uri }) => uri.query);
			if (live.length > 0) this.#refreshSoon(new Set(live));
		}, refreshMs);
	}

	#isLive(runId: string): boolean {
		const found = this.#runtimes.find(runId);
		return found !== undefined && !isTerminal(found.run.state);
	}
}

async function readEntries({ run, runtime }: FolderRun): Promise<Entry[]> {
	const entries: Entry[] = [];
	while (entries.length < shownEntries) {
		const page = await runtime.transcripts.read(run, entries.at(-1)?.seq ?? 0, pageSize);
		entries.push(...page);
		if (page.length < pageSize) break;
	}
	return entries;
}
