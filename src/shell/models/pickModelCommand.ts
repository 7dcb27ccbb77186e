import * as vscode from "vscode";
import { commands } from "../../contributions.ts";
import type { EditorModels } from "./editorModels.ts";
import { listModelGroups, type ModelChoice, type ModelGroup } from "./listModelGroups.ts";
import { typedReference } from "./typedReference.ts";

interface ModelItem extends vscode.QuickPickItem {
	/** Null takes the choice back. */
	readonly reference?: string | null;
	readonly command?: string;
}

/** Shows what there is as it comes in, and keeps what is chosen. Returns the reference that was chosen. */
export async function pickModelCommand(models: EditorModels): Promise<string | undefined> {
	const item = await showModels(models);
	if (item?.command !== undefined) await vscode.commands.executeCommand(item.command);
	if (item?.reference === undefined) return undefined;
	await models.pick(item.reference ?? undefined);
	return item.reference ?? undefined;
}

/** Servers are asked only while the list is open. */
async function showModels(models: EditorModels): Promise<ModelItem | undefined> {
	const looking = new AbortController();
	const picker = vscode.window.createQuickPick<ModelItem>();
	picker.title = "Pick Model";
	picker.placeholder = "What subagents run on where nothing else is said, or type provider/model";
	picker.matchOnDescription = true;
	picker.matchOnDetail = true;
	picker.keepScrollPosition = true;
	picker.busy = true;
	const groups: ModelGroup[] = [];
	const show = () => {
		const typed = typedReference(picker.value, models.registry.providers());
		const active = picker.activeItems[0]?.reference;
		picker.items = toItems(groups, models.picked, typed);
		// Groups come in while somebody moves through the list.
		if (active !== undefined) picker.activeItems = picker.items.filter(({ reference }) => reference === active);
	};
	const closed = new Promise<ModelItem | undefined>((resolve) => {
		picker.onDidAccept(() => resolve(picker.selectedItems[0]));
		picker.onDidHide(() => resolve(undefined));
		picker.onDidChangeValue(show);
	});
	show();
	picker.show();
	const listed = listModelGroups(models, looking.signal, (group) => {
		groups.push(group);
		groups.sort((one, other) => one.order - other.order);
		if (!looking.signal.aborted) show();
	}).finally(() => {
		if (!looking.signal.aborted) picker.busy = false;
	});
	try {
		return await Promise.race([closed, listed.then(() => closed)]);
	} finally {
		looking.abort();
		picker.dispose();
	}
}

function toItems(groups: readonly ModelGroup[], picked: string | undefined, typed: string | undefined): ModelItem[] {
	return [
		...(typed === undefined ? [] : [{ label: `$(edit) Use ${typed}`, reference: typed, alwaysShow: true }]),
		...(picked === undefined
			? []
			: [{ label: "$(close) Clear the choice", description: `now ${picked}`, reference: null }]),
		...groups.flatMap(({ label, models, problem }): ModelItem[] => [
			{ label, kind: vscode.QuickPickItemKind.Separator },
			...models.map((model) => toItem(model, picked)),
			...(problem === undefined
				? []
				: [{ label: `$(warning) ${label} does not answer`, detail: problem, command: commands.setApiKey.id }]),
		]),
		{ label: "", kind: vscode.QuickPickItemKind.Separator },
		{ label: `$(key) ${commands.setApiKey.title}`, command: commands.setApiKey.id, alwaysShow: true },
	];
}

function toItem({ reference, label }: ModelChoice, picked: string | undefined): ModelItem {
	const isCurrent = reference === picked;
	const description = [reference === label ? "" : reference, isCurrent ? "current" : ""].filter(Boolean).join(" · ");
	return { label: isCurrent ? `$(check) ${label}` : label, description, reference };
}
