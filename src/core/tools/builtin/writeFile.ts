import * as z from "zod";
import { defineTool } from "../defineTool.ts";
import { failed } from "../toolResult.ts";
import { changeFile } from "./changeFile.ts";
import { displayPath } from "./displayPath.ts";

const Input = z.strictObject({
	path: z.string().min(1).meta({ description: "The file, relative to the workspace folder." }),
	content: z.string().meta({ description: "All that is to be in it." }),
});

export const writeFile = defineTool({
	name: "write_file",
	description:
		"Writes a whole file of the workspace, new or over what is there; missing folders are created. " +
		"To change a part of a file use edit_file. At most 10 MB.",
	input: Input,
	effect: ({ path }) => ({ kind: "write", path }),
	subject: ({ path }) => path,
	async execute({ content }, context) {
		const name = displayPath(context.root, context.path);
		if (context.editor.dirtyText(context.path) !== undefined) {
			return failed(
				`${name} is open in the editor with unsaved changes, which this would lose. Use edit_file: it changes the open text.`,
			);
		}
		const bytes = Buffer.from(content);
		return changeFile(context, (current) => ({
			ok: true,
			bytes,
			said: `${current === null ? "Created" : "Replaced"} ${name}: ${bytes.length} bytes.`,
		}));
	},
});
