import { basename } from "node:path";
import * as z from "zod";
import { defineTool } from "../defineTool.ts";
import { failed, succeeded } from "../toolResult.ts";
import { displayPath } from "./displayPath.ts";
import { inspectFile } from "./inspectFile.ts";

const maxBytes = 10 * 1024 * 1024;

const Input = z
	.strictObject({
		path: z.string().optional().meta({ description: "A file of the workspace to hand over as it is now." }),
		text: z.string().optional().meta({ description: "Or the text to hand over; then give a name too." }),
		name: z.string().min(1).max(100).optional().meta({ description: "What to call it. Default: the file's name." }),
	})
	.refine(({ path, text }) => (path === undefined) !== (text === undefined), "give either path or text")
	.refine(({ text, name }) => text === undefined || name !== undefined, "a text needs a name");

export const attachFile = defineTool({
	name: "attach_file",
	description:
		"Hands over a file, or a text as a file, together with your report: a log, a patch, a table, a longer document. " +
		"It is kept with this run as it is now. At most 10 MB.",
	input: Input,
	effect: ({ path }) => (path === undefined ? { kind: "none" } : { kind: "read", path }),
	subject: ({ path, name }) => path ?? name ?? "",
	async execute({ text, name }, { path, root, files, artefacts, editor }) {
		if (text !== undefined) return attach(Buffer.from(text), name ?? "text.txt");
		const shown = displayPath(root, path);
		const found = await inspectFile(path);
		if (found.kind === "missing") return failed(`${shown} does not exist. Use list_dir to see what is there.`);
		if (found.kind === "unusable") return failed(`${shown} ${found.problem}`);
		if (found.size > maxBytes) return failed(`${shown} has ${found.size} bytes; at most 10 MB can be attached.`);
		const dirty = editor.dirtyText(path);
		return attach(dirty === undefined ? await files.readFile(path) : Buffer.from(dirty), name ?? basename(path));

		async function attach(bytes: Uint8Array, called: string) {
			if (bytes.length > maxBytes) return failed(`${called} has ${bytes.length} bytes; at most 10 MB can be attached.`);
			const artefact = await artefacts.attach({ name: called, bytes });
			return succeeded(`Attached ${called}: ${artefact.size} bytes, kept at ${artefact.path}.`);
		}
	},
});
