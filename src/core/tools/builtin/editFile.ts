import * as z from "zod";
import { defineTool } from "../defineTool.ts";
import type { ToolContext, ToolResult } from "../tool.ts";
import { failed, succeeded } from "../toolResult.ts";
import { changeFile, type NewContent } from "./changeFile.ts";
import { displayPath } from "./displayPath.ts";
import { withPathLock } from "./pathLock.ts";
import { replaceText, type ReplacedText, type Replacement } from "./replaceText.ts";

const oldString = z
	.string()
	.min(1)
	.meta({ description: "The text to replace, exactly as it is, without line numbers." });
const newString = z.string().meta({ description: "What to put there." });
const replaceAll = z.boolean().meta({ description: "Replace it everywhere. Else it must occur exactly once." });

const Input = z
	.strictObject({
		path: z.string().min(1).meta({ description: "The file, relative to the workspace folder." }),
		old_string: oldString.optional(),
		new_string: newString.optional(),
		replace_all: replaceAll.optional(),
		edits: z
			.array(z.strictObject({ old_string: oldString, new_string: newString, replace_all: replaceAll.optional() }))
			.min(1)
			.max(200)
			.optional()
			.meta({ description: "Several replacements instead, one after the other; all or none." }),
	})
	.refine(
		({ edits, old_string, new_string }) =>
			edits === undefined
				? old_string !== undefined && new_string !== undefined
				: old_string === undefined && new_string === undefined,
		"give either old_string and new_string, or edits",
	);

export const editFile = defineTool({
	name: "edit_file",
	description:
		"Replaces text in a file of the workspace. old_string must be exactly what is in the file, spaces included, and occur " +
		"once, or replace_all be set. Read the file first. Line ends and the rest of the file stay as they are. " +
		"A file that is open with unsaved changes is changed in the editor and left unsaved.",
	input: Input,
	effect: ({ path }) => ({ kind: "write", path }),
	subject: ({ path }) => path,
	async execute(input, context) {
		const replacements = toReplacements(input);
		const isDirty = context.editor.dirtyText(context.path) !== undefined;
		return isDirty ? editBuffer(replacements, context) : editOnDisk(replacements, context);
	},
});

/** The text after an edit with this input, or undefined when it does not fit the text. */
export function textAfterEdit(input: unknown, text: string): string | undefined {
	const parsed = Input.safeParse(input);
	const replaced = parsed.success ? replaceText(text, toReplacements(parsed.data)) : undefined;
	return replaced?.ok === true ? replaced.text : undefined;
}

function toReplacements(input: z.infer<typeof Input>): readonly Replacement[] {
	const { old_string = "", new_string = "", replace_all } = input;
	const edits = input.edits ?? [{ old_string, new_string, replace_all }];
	return edits.map((edit) => ({
		oldString: edit.old_string,
		newString: edit.new_string,
		replaceAll: edit.replace_all ?? false,
	}));
}

function editOnDisk(replacements: readonly Replacement[], context: ToolContext): Promise<ToolResult> {
	const name = displayPath(context.root, context.path);
	return changeFile(context, (current): NewContent => {
		if (current === null) return { ok: false, problem: `${name} does not exist. Use write_file to create it.` };
		const text = decode(current);
		if (text === undefined) {
			return { ok: false, problem: `${name} is a binary file or not in UTF-8, so it cannot be edited as text.` };
		}
		const replaced = replaceText(text, replacements);
		if (!replaced.ok) return { ok: false, problem: explainProblem(name, replaced, replacements.length) };
		return { ok: true, bytes: Buffer.from(replaced.text), said: describeEdit(name, replaced.lines) };
	});
}

function editBuffer(replacements: readonly Replacement[], context: ToolContext): Promise<ToolResult> {
	const { root, path, editor } = context;
	const name = displayPath(root, path);
	return withPathLock(path, async () => {
		const text = editor.dirtyText(path);
		if (text === undefined) return failed(`${name} was saved in the meantime. Read it again, then edit it.`);
		const replaced = replaceText(text, replacements);
		if (!replaced.ok) return failed(explainProblem(name, replaced, replacements.length));
		if (!(await editor.applyEdit(path, replaced.text))) {
			return failed(`The editor did not take the change of ${name}. Nothing was changed. Read it again, then edit it.`);
		}
		return succeeded(`${describeEdit(name, replaced.lines)} It is unsaved, in the open editor.`);
	});
}

/** With its byte-order mark, which is text like any other here; `undefined` when the bytes would not come back the same. */
function decode(bytes: Uint8Array): string | undefined {
	if (bytes.includes(0)) return undefined;
	try {
		return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
	} catch (error) {
		if (error instanceof TypeError) return undefined;
		throw error;
	}
}

function explainProblem(name: string, { index, problem }: ReplacedText & { ok: false }, count: number): string {
	const which = count > 1 ? `Edit ${index + 1} of ${count}: ` : "";
	return `${name} was not changed. ${which}${problem}`;
}

function describeEdit(name: string, lines: readonly number[]): string {
	const shown = `${lines.slice(0, 10).join(", ")}${lines.length > 10 ? ", …" : ""}`;
	return lines.length === 1
		? `Edited ${name}: one replacement, in line ${shown}.`
		: `Edited ${name}: ${lines.length} replacements, in lines ${shown}.`;
}
