import type { Dirent } from "node:fs";
import { lstat, readdir, readlink } from "node:fs/promises";
import { join } from "node:path";
import * as z from "zod";
import { messageOf } from "../../base/errors.ts";
import { defineTool } from "../defineTool.ts";
import { failed, succeeded } from "../toolResult.ts";
import { displayPath } from "./displayPath.ts";
import { explainFileProblem } from "./explainFileProblem.ts";

const maxEntries = 1_000;

const Input = z.strictObject({
	path: z
		.string()
		.default(".")
		.meta({ description: "The folder, relative to the workspace folder. Default: that folder." }),
});

export const listDir = defineTool({
	name: "list_dir",
	description:
		"Lists a folder of the workspace, one entry a line: folders first, with a slash at the end, then files with their " +
		`size, and links with where they lead. Shows at most ${maxEntries} entries and does not look into folders.`,
	input: Input,
	effect: ({ path }) => ({ kind: "read", path }),
	subject: ({ path }) => path,
	async execute(_input, { path, root, signal, leavesOut }) {
		const name = displayPath(root, path);
		let entries: Dirent[];
		try {
			const all = await readdir(path, { withFileTypes: true });
			entries = all.filter((entry) => !leavesOut(join(path, entry.name), "list_dir"));
		} catch (error) {
			return failed(`${name} ${explainFileProblem(error)}`);
		}
		signal.throwIfAborted();
		if (entries.length === 0) return succeeded(`${name} is an empty folder.`);
		const shown = entries.toSorted(foldersFirst).slice(0, maxEntries);
		const lines = await Promise.all(shown.map((entry) => describeEntry(path, entry)));
		const more = entries.length - shown.length;
		if (more > 0) lines.push("", `[${more} more not shown. Use grep with a glob to find a file by its content.]`);
		return succeeded(lines.join("\n"));
	},
});

function foldersFirst(a: Dirent, b: Dirent): number {
	const folders = Number(b.isDirectory()) - Number(a.isDirectory());
	return folders || (a.name < b.name ? -1 : 1);
}

async function describeEntry(folder: string, entry: Dirent): Promise<string> {
	const name = toOneLine(entry.name);
	const path = join(folder, entry.name);
	if (entry.isDirectory()) return `${name}/`;
	try {
		if (entry.isSymbolicLink()) return `${name} -> ${toOneLine(await readlink(path))}`;
		return entry.isFile() ? `${name} (${(await lstat(path)).size} bytes)` : `${name} (not a regular file)`;
	} catch (error) {
		return `${name} (${messageOf(error)})`;
	}
}

/** A name may hold a line break, and must not pass for two entries. */
function toOneLine(name: string): string {
	return name.replaceAll(/\p{Cc}/gu, "\uFFFD");
}
