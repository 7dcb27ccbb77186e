/**
 * Stands in for `vscode` where commands and adapters are looked at in plain Node: settings in memory, dialogs that are
 * answered by the test, and language models that the test brings along.
 */
import { readFileSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { matchesGlob, relative } from "node:path";
import { isInside } from "../../src/core/base/isInside.ts";
import { applyTextEdits } from "../../src/core/base/textEdit.ts";

export {
	LanguageModelChatMessage,
	LanguageModelChatMessageRole,
	LanguageModelError,
	LanguageModelTextPart,
	LanguageModelToolCallPart,
	LanguageModelToolResultPart,
} from "./editorLanguageModels.ts";

interface Item {
	readonly label: string;
	readonly kind?: number;
}

/** What the test decides, and what it wants to know. */
export const editor = {
	settings: new Map<string, unknown>(),
	/** The window's folders. */
	folders: [] as string[],
	models: [] as unknown[],
	/** Answers dialogs in their order: the label to choose, the text to type; undefined closes the dialog. */
	answers: [] as (string | undefined)[],
	/** Called with a list that fills by itself, whenever it has changed; its answer is chosen. */
	choose: (_items: readonly Item[], _isBusy: boolean): Item | undefined => undefined,
	/** What stood in boxes before anybody typed. */
	proposed: [] as string[],
	said: [] as string[],
	/** Chooses a button of a message; undefined closes it. */
	press: (_message: string, _buttons: readonly string[]): string | undefined => undefined,
	offered: [] as string[][],
	/** The files that were shown, in their order. */
	shown: [] as string[],
	/** What a command of VS Code shows. */
	filesOfCommands: new Map<string, string>(),
	/** What the language services know, and what other commands of VS Code answer. */
	diagnostics: [] as (readonly [{ scheme: string; fsPath: string }, readonly object[]])[],
	answersOfCommands: new Map<string, (...given: readonly unknown[]) => unknown>(),
	/** The views that were made, by their ids, and what was put on the clipboard. */
	views: new Map<string, unknown>(),
	copied: [] as string[],
	refusesEdits: false,
	prompts: [] as { readonly password: boolean; readonly problem: string | undefined }[],
};

export function resetEditor(): void {
	Object.assign(editor, {
		folders: [],
		models: [],
		answers: [],
		said: [],
		proposed: [],
		offered: [],
		diagnostics: [],
		shown: [],
		copied: [],
		refusesEdits: false,
		prompts: [],
		choose: () => undefined,
		press: () => undefined,
	});
	editor.settings.clear();
	editor.filesOfCommands.clear();
	editor.views.clear();
	editor.answersOfCommands.clear();
	documents.clear();
	watchers.clear();
	workspace.isTrusted = true;
	window.activeTextEditor = undefined;
}

export const QuickPickItemKind = { Separator: -1, Default: 0 };
export const ConfigurationTarget = { Global: 1 };
export const ProgressLocation = { Notification: 15 };
export const Uri = { file: (fsPath: string) => ({ scheme: "file", fsPath }) };
export const commands = {
	executeCommand: async (id: string, ...given: readonly unknown[]) => {
		const file = editor.filesOfCommands.get(id);
		if (file !== undefined) await window.showTextDocument(Uri.file(file));
		return editor.answersOfCommands.get(id)?.(...given);
	},
};

/** A file as it is in the editor; what is not saved is not on the disk. */
class Document {
	readonly uri: { readonly fsPath: string };
	isDirty = false;
	#text: string;
	constructor(uri: { readonly fsPath: string }) {
		this.uri = uri;
		this.#text = readFileSync(uri.fsPath, "utf8");
	}
	getText(): string {
		return this.#text;
	}
	type(text: string): void {
		this.#text = text;
		this.isDirty = true;
	}
	async save(): Promise<boolean> {
		await writeFile(this.uri.fsPath, this.#text);
		this.isDirty = false;
		return true;
	}
}
const documents = new Map<string, Document>();
export function documentOf(uri: { readonly fsPath: string }): Document {
	const document = documents.get(uri.fsPath) ?? new Document(uri);
	documents.set(uri.fsPath, document);
	return document;
}

export class WorkspaceEdit {
	readonly changes: { uri: { fsPath: string }; range: Range; newText: string }[] = [];
	readonly renames: (readonly [from: string, to: string])[] = [];
	renameFile(from: { fsPath: string }, to: { fsPath: string }): void {
		this.renames.push([from.fsPath, to.fsPath]);
	}
	replace(uri: { fsPath: string }, range: Range, newText: string): void {
		this.changes.push({ uri, range, newText });
	}
}

async function applyEdit({ changes }: WorkspaceEdit): Promise<boolean> {
	if (editor.refusesEdits) return false;
	for (const [file, own] of Map.groupBy(changes, ({ uri }) => uri.fsPath)) {
		const edits = own.map(({ range: { places }, newText }) => {
			const [line = 0, column = 0, endLine = 0, endColumn = 0] = places.map((place) => place + 1);
			return { range: { line, column, endLine, endColumn }, newText };
		});
		const document = documentOf(Uri.file(file));
		document.type(applyTextEdits(document.getText(), edits));
	}
	return true;
}

export class ThemeColor {
	readonly id: string;
	constructor(id: string) {
		this.id = id;
	}
}
export class ThemeIcon extends ThemeColor {}
export class TreeItem {
	readonly label: string;
	constructor(label: string) {
		this.label = label;
	}
}
export const TreeItemCollapsibleState = { None: 0, Collapsed: 1, Expanded: 2 };
export class Range {
	readonly places: readonly number[];
	constructor(...places: readonly number[]) {
		this.places = places;
	}
	/** Enough for lines. */
	intersection(other: Range): Range | undefined {
		const [line = 0, , endLine = 0] = this.places;
		const [from = 0, , to = 0] = other.places;
		return from <= endLine && line <= to ? other : undefined;
	}
}
export const DiagnosticSeverity = { Error: 0, Warning: 1, Information: 2 };
export class Diagnostic {
	readonly range: Range;
	readonly message: string;
	constructor(range: Range, message: string) {
		this.range = range;
		this.message = message;
	}
}
export const CodeActionKind = { QuickFix: "quickfix" };
export class CodeAction {
	readonly title: string;
	edit: WorkspaceEdit | undefined;
	command: { readonly command: string; readonly arguments?: readonly unknown[] } | undefined;
	constructor(title: string) {
		this.title = title;
	}
}
export const languages = {
	getDiagnostics: () => editor.diagnostics,
	createDiagnosticCollection: () => ({ clear: () => undefined, set: () => undefined, dispose: () => undefined }),
	registerCodeActionsProvider: () => ({ dispose: () => undefined }),
};

export class CancellationTokenSource {
	readonly token = { isCancellationRequested: false };
	cancel(): void {
		this.token.isCancellationRequested = true;
	}
	dispose(): void {
		return undefined;
	}
}

export const env = { clipboard: { writeText: async (text: string) => void editor.copied.push(text) } };

export const lm = { selectChatModels: async () => editor.models };

export class EventEmitter<Value = unknown> {
	readonly #listeners = new Set<(value: Value) => unknown>();
	readonly event = (listener: (value: Value) => unknown) => {
		this.#listeners.add(listener);
		return { dispose: () => this.#listeners.delete(listener) };
	};
	fire(value: Value): void {
		for (const listener of this.#listeners) listener(value);
	}
	dispose(): void {
		this.#listeners.clear();
	}
}

/** Below a folder, as VS Code's glob patterns count it. */
export class RelativePattern {
	readonly folder: string;
	readonly pattern: string;
	constructor({ fsPath }: { fsPath: string }, pattern: string) {
		this.folder = fsPath;
		this.pattern = pattern;
	}
	fits(file: string): boolean {
		return isInside(this.folder, file) && matchesGlob(relative(this.folder, file), this.pattern);
	}
}

const watchers = new Set<{ readonly pattern: RelativePattern; readonly events: EventEmitter }>();

function createFileSystemWatcher(pattern: RelativePattern) {
	const watcher = { pattern, events: new EventEmitter() };
	watchers.add(watcher);
	const { event } = watcher.events;
	return { onDidChange: event, onDidCreate: event, onDidDelete: event, dispose: () => watchers.delete(watcher) };
}

/** Tells who watches it that something became of a file or a folder. */
export function tellOfChange(file: string): void {
	for (const { pattern, events } of watchers) if (pattern.fits(file)) events.fire(Uri.file(file));
}

export const FileType = { File: 1 };
export const FilePermission = { Readonly: 1 };
/** No tab is open here. */
export class TabInputText {
	readonly uri = undefined;
}

export const workspace = {
	applyEdit,
	createFileSystemWatcher,
	onDidChangeConfiguration: () => ({ dispose: () => undefined }),
	get workspaceFolders() {
		return editor.folders.length > 0 ? editor.folders.map((folder) => ({ uri: Uri.file(folder) })) : undefined;
	},
	getWorkspaceFolder: () => undefined,
	textDocuments: [],
	asRelativePath: (file: string) => file,
	registerFileSystemProvider: () => ({ dispose: () => undefined }),
	registerTextDocumentContentProvider: () => ({ dispose: () => undefined }),
	onDidOpenTextDocument: () => ({ dispose: () => undefined }),
	fs: { writeFile: (uri: { fsPath: string }, bytes: Uint8Array) => writeFile(uri.fsPath, bytes) },
	isTrusted: true,
	workspaceFile: undefined,
	getConfiguration: () => ({
		get: (name: string) => editor.settings.get(name),
		inspect: (name: string) => ({ globalValue: editor.settings.get(name) }),
		update: async (name: string, value: unknown) => void editor.settings.set(name, value),
	}),
};

type Button = string | { readonly title: string };
const titleOf = (button: Button) => (typeof button === "string" ? button : button.title);

async function say(message: string, ...rest: readonly (Button | { readonly detail?: string })[]) {
	const [first] = rest;
	const detail = typeof first === "object" && "detail" in first ? `\n${first.detail ?? ""}` : "";
	editor.said.push(message + detail);
	const buttons = rest.filter((each): each is Button => typeof each === "string" || "title" in each);
	const pressed = editor.press(message, buttons.map(titleOf));
	return buttons.find((button) => titleOf(button) === pressed);
}

export const window = {
	activeTextEditor: undefined as { readonly document: Document } | undefined,
	async showTextDocument(uri: { fsPath: string }) {
		editor.shown.push(uri.fsPath);
		window.activeTextEditor = { document: documentOf(uri) };
		return window.activeTextEditor;
	},
	createTreeView(id: string, { treeDataProvider }: { treeDataProvider: unknown }) {
		editor.views.set(id, treeDataProvider);
		return { badge: undefined, dispose: () => editor.views.delete(id) };
	},
	tabGroups: { activeTabGroup: { activeTab: undefined } },
	showInformationMessage: say,
	showWarningMessage: say,
	showErrorMessage: say,
	async showQuickPick(given: readonly Item[] | Promise<readonly Item[]>, options?: { canPickMany?: boolean }) {
		const items = await given;
		editor.offered.push(items.map(({ label }) => label));
		const answer = editor.answers.shift();
		const chosen = items.find(({ label }) => label === answer);
		return options?.canPickMany ? chosen && [chosen] : chosen;
	},
	async showSaveDialog({ defaultUri }: { defaultUri: { fsPath: string } }) {
		editor.proposed.push(defaultUri.fsPath);
		const answer = editor.answers.shift();
		return answer === undefined ? undefined : Uri.file(answer);
	},
	async showInputBox(options: {
		password?: boolean;
		value?: string;
		validateInput?: (text: string) => string | undefined;
	}) {
		if (options.value !== undefined) editor.proposed.push(options.value);
		const answer = editor.answers.shift();
		const problem = options.validateInput?.(answer ?? "");
		editor.prompts.push({ password: options.password === true, problem });
		return problem === undefined ? answer : undefined;
	},
	withProgress: (_: unknown, work: (progress: unknown, token: object) => unknown) =>
		work({}, { isCancellationRequested: false, onCancellationRequested: () => ({ dispose: () => undefined }) }),
	createQuickPick: () => new QuickPick(),
};

/** Offers itself to the test at every change, and at last when it is not busy any more. */
class QuickPick {
	selectedItems: readonly Item[] = [];
	activeItems: readonly Item[] = [];
	value = "";
	#items: readonly Item[] = [];
	#busy = false;
	#accept: () => void = () => undefined;
	#hide: () => void = () => undefined;

	set items(items: readonly Item[]) {
		this.#items = items;
		this.#offer();
	}
	get items(): readonly Item[] {
		return this.#items;
	}
	set busy(busy: boolean) {
		this.#busy = busy;
		if (!busy) this.#offer();
	}
	onDidAccept(listener: () => void): void {
		this.#accept = listener;
	}
	onDidHide(listener: () => void): void {
		this.#hide = listener;
	}
	onDidChangeValue(): void {
		return undefined;
	}
	show(): void {
		return undefined;
	}
	dispose(): void {
		return undefined;
	}
	#offer(): void {
		const chosen = editor.choose(this.#items, this.#busy);
		if (chosen) {
			this.selectedItems = [chosen];
			this.#accept();
		} else if (!this.#busy) this.#hide();
	}
}
