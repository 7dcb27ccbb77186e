/**
 * Stands in for `vscode` where commands and adapters are looked at in plain Node: settings in memory, dialogs that are
 * answered by the test, and language models that the test brings along.
 */
interface Item {
	readonly label: string;
	readonly kind?: number;
}

/** What the test decides, and what it wants to know. */
export const editor = {
	settings: new Map<string, unknown>(),
	models: [] as unknown[],
	/** Answers dialogs in their order: the label to choose, the text to type; undefined closes the dialog. */
	answers: [] as (string | undefined)[],
	/** Called with a list that fills by itself, whenever it has changed; its answer is chosen. */
	choose: (_items: readonly Item[], _isBusy: boolean): Item | undefined => undefined,
	said: [] as string[],
	offered: [] as string[][],
	prompts: [] as { readonly password: boolean; readonly problem: string | undefined }[],
};

export function resetEditor(): void {
	Object.assign(editor, { models: [], answers: [], said: [], offered: [], prompts: [], choose: () => undefined });
	editor.settings.clear();
}

export const QuickPickItemKind = { Separator: -1, Default: 0 };
export const ConfigurationTarget = { Global: 1 };
export const ProgressLocation = { Notification: 15 };
export const LanguageModelChatMessageRole = { User: 1, Assistant: 2 };
export const Uri = { file: (fsPath: string) => ({ scheme: "file", fsPath }) };
export const commands = { executeCommand: async () => undefined };

export class LanguageModelTextPart {
	readonly value: string;
	constructor(value: string) {
		this.value = value;
	}
}
export class LanguageModelToolCallPart {
	readonly callId: string;
	readonly name: string;
	readonly input: object;
	constructor(callId: string, name: string, input: object) {
		this.callId = callId;
		this.name = name;
		this.input = input;
	}
}
export class LanguageModelToolResultPart {
	readonly callId: string;
	readonly content: readonly unknown[];
	constructor(callId: string, content: readonly unknown[]) {
		this.callId = callId;
		this.content = content;
	}
}
export class LanguageModelChatMessage {
	readonly role: number;
	readonly content: readonly unknown[];
	constructor(role: number, content: readonly unknown[]) {
		this.role = role;
		this.content = content;
	}
}
export class LanguageModelError extends Error {
	readonly code: string;
	constructor(code: string) {
		super(`refused: ${code}`);
		this.code = code;
	}
}
export class CancellationTokenSource {
	readonly token = { isCancellationRequested: false };
	cancel(): void {
		this.token.isCancellationRequested = true;
	}
	dispose(): void {
		return undefined;
	}
}

export const lm = { selectChatModels: async () => editor.models };

export const workspace = {
	isTrusted: true,
	workspaceFile: undefined,
	getConfiguration: () => ({
		get: (name: string) => editor.settings.get(name),
		inspect: (name: string) => ({ globalValue: editor.settings.get(name) }),
		update: async (name: string, value: unknown) => void editor.settings.set(name, value),
	}),
};

async function say(message: string): Promise<undefined> {
	editor.said.push(message);
	return undefined;
}

export const window = {
	showInformationMessage: say,
	showWarningMessage: say,
	showErrorMessage: say,
	async showQuickPick(given: readonly Item[] | Promise<readonly Item[]>) {
		const items = await given;
		editor.offered.push(items.map(({ label }) => label));
		const answer = editor.answers.shift();
		return items.find(({ label }) => label === answer);
	},
	async showInputBox(options: { password?: boolean; validateInput?: (text: string) => string | undefined }) {
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
