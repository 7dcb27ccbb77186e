import type { FileHandle } from "node:fs/promises";
import * as z from "zod";
import { defineTool } from "../defineTool.ts";
import type { ToolContext, ToolResult } from "../tool.ts";
import { failed, succeeded } from "../toolResult.ts";
import { displayPath } from "./displayPath.ts";
import { stampOf } from "./inspectFile.ts";
import { LinePage } from "./linePage.ts";
import { LineSplitter } from "./lineSplitter.ts";
import { openRegularFile } from "./openRegularFile.ts";

const maxLines = 2_000;
const maxLineLength = 2_000;
/** Leaves room for the line that says how to go on. */
const maxBytes = 50 * 1024 - 200;
const chunkBytes = 64 * 1024;

const Input = z.strictObject({
	path: z.string().meta({ description: "The file, relative to the workspace folder." }),
	offset: z.int32().min(1).optional().meta({ description: "The first line to read, counted from 1. Default 1." }),
	limit: z
		.int32()
		.min(1)
		.optional()
		.meta({ description: `How many lines to read. Default and most: ${maxLines}.` }),
});

/** Reads a page of a text file. Memory stays small however large the file is: only the page is kept. */
export const readFile = defineTool({
	name: "read_file",
	description:
		"Reads a text file of the workspace. Each line comes back as its number, a tab and its text. " +
		`One call gives at most ${maxLines} lines or 50 KB; if there is more, the answer ends with the offset to go on from. ` +
		`Lines longer than ${maxLineLength} characters are cut and end in "…".`,
	input: Input,
	effect: ({ path }) => ({ kind: "read", path }),
	subject: ({ path }) => path,
	async execute(input, context) {
		const name = displayPath(context.root, context.path);
		const dirty = context.editor.dirtyText(context.path);
		if (dirty !== undefined) return readPage(oneChunk(dirty), name, input, context);
		const opened = await openRegularFile(context.path);
		if (!opened.ok) return failed(`${name} ${opened.problem}`);
		try {
			// Before the first byte is read, so that a change in between counts as one.
			context.seenFiles.set(context.path, stampOf(await opened.handle.stat({ bigint: true })));
			return await readPage(chunksOf(opened.handle), name, input, context);
		} finally {
			await opened.handle.close();
		}
	},
});

async function* chunksOf(handle: FileHandle): AsyncGenerator<Uint8Array> {
	const buffer = Buffer.alloc(chunkBytes);
	for (;;) {
		const { bytesRead } = await handle.read(buffer, 0, chunkBytes, null);
		if (bytesRead === 0) return;
		yield buffer.subarray(0, bytesRead);
	}
}

/** What a person has typed and not saved counts, not what is on the disk. */
async function* oneChunk(text: string): AsyncGenerator<Uint8Array> {
	yield Buffer.from(text);
}

async function readPage(
	chunks: AsyncIterable<Uint8Array>,
	name: string,
	{ offset = 1, limit = maxLines }: z.infer<typeof Input>,
	{ signal }: ToolContext,
): Promise<ToolResult> {
	const page = new LinePage({ firstLine: offset, maxLines: Math.min(limit, maxLines), maxBytes });
	const splitter = new LineSplitter(maxLineLength);
	signal.throwIfAborted();
	for await (const chunk of chunks) {
		signal.throwIfAborted();
		if (chunk.includes(0)) return failed(`${name} is a binary file, so it cannot be read as text.`);
		for (const line of splitter.push(chunk)) page.add(line);
		if (page.hasMore) break;
	}
	if (!page.hasMore) for (const line of splitter.end()) page.add(line);
	if (page.hasMore) return succeeded(`${page.text}\n\n[More lines follow. Go on with offset ${page.nextLine}.]`);
	if (page.seen === 0) return succeeded(`${name} is empty.`);
	if (page.isEmpty) return failed(`${name} has only ${page.seen} lines. Use an offset up to ${page.seen}.`);
	return succeeded(page.text);
}
